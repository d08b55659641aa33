import type { DecideRequest, DecideResponse } from '@assay/contract';
import type { KeyStore } from '../../access/keys/api-key.js';
import type { Workspace, WorkspaceStore } from '../../access/workspaces/workspace.js';
import type { Answering } from '../../answering/answering.js';
import { newRequestId } from '../../http/context.js';
import { checkBody } from '../../http/read-input.js';
import { Refusal } from '../../http/refusal.js';
import { type RenderedError, renderError } from '../../http/rendered-error.js';
import { amountNano, pricePerTokenNano } from '../../metering/credit/price.js';
import { isDatabaseOutage } from '../../storage/database/outage.js';
import type { BatchRecord } from '../batch.js';
import { resultEnd } from '../results/result-line.js';
import type { ClaimedLine } from '../store/claims.js';
import { readLine } from '../upload/read-requests.js';
import type { LineTexts } from './line-texts.js';
import type { Attempt } from './worker.js';

export interface LineAnswererParts {
  readonly answering: Answering;
  readonly keys: KeyStore;
  readonly workspaces: WorkspaceStore;
  readonly texts: LineTexts;
  fault(error: unknown): void;
}

/** A fault may be of the moment: the request is tried again here before its line says 500. */
const TRIES = 3;
const OVERLOADED = 529;

const impossible = (reason: string): Attempt => ({ kind: 'impossible', reason });
const LATER: Attempt = { kind: 'later' };

/** The headers of a live call that a result line has too; the others are about its connection. */
const kept = (requestId: string, headers: Readonly<Record<string, string>>): Record<string, string> => ({
  'x-request-id': requestId,
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-service-'))),
});

const refused = ({ status, body, headers }: RenderedError, requestId: string): string =>
  resultEnd(status, body, kept(requestId, headers));

/** The end of the result line of an error of the contract; a fault that is none of them shows as `api_error`. */
export function errorLine(error: unknown, requestId = newRequestId()): string {
  const rendered = renderError(error) ?? renderError(new Refusal('api_error'));
  if (!rendered) throw new Error('The error table has no api_error');
  return refused(rendered, requestId);
}

/** Answers a line the way the live call answers its body: the same checks in the same order, and the same engine. */
export class LineAnswerer {
  private readonly workspaces = new WeakMap<BatchRecord, Promise<Workspace | undefined>>();

  constructor(private readonly parts: LineAnswererParts) {}

  async attempt(batch: BatchRecord, line: ClaimedLine, signal: AbortSignal): Promise<Attempt> {
    const workspace = await this.workspaceOf(batch);
    if (!workspace) return impossible('The key of this batch was revoked.');
    const text = await this.parts.texts.text(line);
    if (!text) return impossible('The uploaded requests of this batch are gone.');
    const identity = { requestId: newRequestId(), keyId: batch.keyId };
    for (let tries = 1; ; tries += 1)
      try {
        return await this.answer(workspace, text, identity, signal);
      } catch (error) {
        if (signal.aborted || isDatabaseOutage(error)) return LATER;
        const rendered = renderError(error);
        if (rendered?.status === OVERLOADED) return LATER;
        if (rendered) return { kind: 'answered', answer: { result: refused(rendered, identity.requestId) } };
        this.parts.fault(error);
        if (tries >= TRIES) return { kind: 'answered', answer: { result: errorLine(error, identity.requestId) } };
      }
  }

  private async answer(
    workspace: Workspace,
    text: Buffer,
    identity: { requestId: string; keyId: string },
    signal: AbortSignal,
  ): Promise<Attempt> {
    if (workspace.suspended) throw new Refusal('workspace_suspended');
    const request = checkBody('decide', readLine(text, 1).body) as DecideRequest;
    const ready = this.parts.answering.prepare(request);
    await this.parts.answering.checkPictures(ready, workspace);
    await this.parts.answering.checkPictures(ready, workspace);
    if (workspace.billing === 'prepaid' && workspace.balanceNano <= 0n) throw new Refusal('insufficient_credit');
    const { model, answers, inputTokens, headers, evidence } = await this.parts.answering.answer(ready, {
      priority: 'batch',
      signal,
      identity,
      workspace,
    });
    const usage = { input_tokens: inputTokens, output_tokens: 0 as const };
    const body: DecideResponse = { model, answers, usage, ...(evidence && { evidence }) };
    const price = pricePerTokenNano(ready.engine.model.inputUsdPerMillionTokens);
    return {
      kind: 'answered',
      answer: {
        result: resultEnd(200, body, kept(identity.requestId, headers)),
        price: { model, tokens: inputTokens, amountNano: amountNano(inputTokens, price, 'batch') },
      },
    };
  }

  /** Asked once for each group of lines, so that a revoked key or an empty balance stops a batch soon. */
  private workspaceOf(batch: BatchRecord): Promise<Workspace | undefined> {
    const known = this.workspaces.get(batch);
    if (known) return known;
    const asked = (async () => {
      const key = await this.parts.keys.find(batch.workspaceId, batch.keyId);
      return key && !key.revokedAt ? this.parts.workspaces.find(batch.workspaceId) : undefined;
    })();
    this.workspaces.set(batch, asked);
    return asked;
  }
}
