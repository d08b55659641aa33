import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { stringify } from '@assay/contract';
import { Refusal } from '../../http/refusal.js';
import { type RenderedError, renderError } from '../../http/rendered-error.js';
import { isDatabaseOutage } from '../../storage/database/outage.js';

const OVERLOADED = 529;
const reasonOf = (status: number): string => STATUS_CODES[status] ?? (status === OVERLOADED ? 'Overloaded' : 'Refused');

/** What an upgrade is refused with; a fault of ours is nobody's to see. */
export function renderUpgradeError(error: unknown): RenderedError & { fault: boolean } {
  const known = renderError(isDatabaseOutage(error) ? new Refusal('overloaded_error') : error);
  const rendered = known ?? renderError(new Refusal('api_error'));
  if (!rendered) throw new Error('The error table has no api_error');
  return { ...rendered, fault: known === undefined };
}

/** Answers an upgrade request on its bare socket: the same body and headers as any refused call. */
export function refuseUpgrade(socket: Duplex, requestId: string, { status, headers, body }: RenderedError): void {
  if (!socket.writable) return void socket.destroy();
  const text = stringify(body);
  const all = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.once('finish', () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${reasonOf(status)}`, ...lines, '', text].join('\r\n'));
}
