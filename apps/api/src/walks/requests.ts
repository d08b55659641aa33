import { type OperationId, operationTable } from '@assay/contract';

export interface Sent {
  key?: string | undefined;
  params?: Readonly<Record<string, string>>;
  query?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
}

export interface Received {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/** An id that nobody has. */
const NOBODYS = '0'.repeat(32);

/** Sends one request of an operation; ids in the path that are not given are nobody's. */
export async function send(url: string, id: OperationId, sent: Sent = {}): Promise<Received> {
  const { method, path } = operationTable[id];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent.params?.[name] ?? NOBODYS));
  const response = await fetch(`${url}${filled}${sent.query ? `?${sent.query}` : ''}`, {
    method,
    headers: { ...(sent.key && { authorization: `Bearer ${sent.key}` }), ...sent.headers },
    ...(sent.body !== undefined && method !== 'GET' && { body: sent.body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: asJson(text) };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The `error_type` of an error body, when its `detail` has one. */
export function errorType({ body }: Received): string | undefined {
  const detail = (body as { detail?: { error_type?: string } } | undefined)?.detail;
  return detail?.error_type;
}

/** A decision that is right in every way, with changes. */
export const decision = (changes: Record<string, unknown> = {}): string =>
  JSON.stringify({
    model: 'tiny-latest',
    state: 'Where is my parcel?',
    questions: { urgent: { type: 'truth', instructions: 'Is it urgent?' } },
    ...changes,
  });
