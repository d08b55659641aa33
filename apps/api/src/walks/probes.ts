import type { LimitName, OperationId } from '@assay/contract';
import { decision, type Sent, send } from './requests.js';
import type { TestService } from './test-service.js';

/** A request that reaches a limit with `amount`, and is right in every other way. */
export interface Probe {
  operation: OperationId;
  request(amount: number): Sent | Promise<Sent>;
  /** A limit from below: one less is refused. */
  least?: boolean;
  /** Within the limit the request is refused too, for what comes later in the order of checks. */
  within?: number;
}

const JSON_LINES = { 'content-type': 'application/x-ndjson' };
const line = (custom_id: string) => `${JSON.stringify({ custom_id, body: JSON.parse(decision()) })}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(`l${at}`)).join('');
const LINE_END = 0x0a;
const spaced = (text: string, bytes: number) => text.padEnd(bytes, ' ');

/** Limits of uploads, batches and enrollment. Every request has a key of its own, because batches count by key. */
export function surfaceProbes(service: () => TestService): Partial<Record<LimitName, Probe>> {
  const newKey = () => service().newKey(service().workspaceId);
  const create = async (body: string, key?: string): Promise<Sent> => ({
    key: key ?? (await newKey()),
    body,
    headers: JSON_LINES,
  });
  const draft = async (key: string): Promise<string> => {
    const answer = await send(service().url, 'createBatch', await create(line('first'), key));
    return (answer.body as { id: string }).id;
  };
  return {
    uploadBody: {
      operation: 'createUpload',
      request: (bytes) => ({ body: new Uint8Array(bytes), headers: { 'content-type': 'image/png' } }),
      within: 400,
    },
    customId: { operation: 'createBatch', request: (length) => create(line('c'.repeat(length))) },
    batchRequests: { operation: 'createBatch', request: (count) => create(lines(count)) },
    batchUpload: {
      operation: 'createBatch',
      request: async (bytes) => {
        const body = new Uint8Array(bytes).fill(LINE_END);
        new TextEncoder().encodeInto(line('first'), body);
        return { ...(await create('')), body };
      },
    },
    batchAdd: {
      operation: 'addBatchRequests',
      request: async (bytes) => {
        const key = await newKey();
        return { ...(await create(spaced(line('more'), bytes), key)), params: { id: await draft(key) } };
      },
    },
    activeBatches: {
      operation: 'createBatch',
      request: async (count) => {
        const key = await newKey();
        for (let made = 1; made < count; made += 1) await draft(key);
        return create(line('last'), key);
      },
    },
    idempotencyKey: {
      operation: 'enrollItem',
      request: (length) => ({ body: '{}', headers: { 'idempotency-key': 'k'.repeat(length) } }),
      within: 404,
    },
  };
}
