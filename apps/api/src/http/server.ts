import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from './context.js';

const HEADERS_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;

interface Unreadable {
  status: string;
  errorType: string;
  message: string;
}

function describe(code: string | undefined): Unreadable {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return {
      status: '408 Request Timeout',
      errorType: 'request_timeout_error',
      message: 'The request did not arrive in time.',
    };
  const message =
    code === 'HPE_HEADER_OVERFLOW' ? 'The request headers are too large.' : 'This is not a readable HTTP request.';
  return { status: '400 Bad Request', errorType: 'api_usage_error', message };
}

/** Node answers what it cannot parse with bare lines; callers get the contract's error body and a request id here too. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, errorType, message } = describe(error.code);
  const body = JSON.stringify({ detail: { error_type: errorType, message } });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${newRequestId()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Bodies have their own limit (`ASSAY_BODY_TIMEOUT_SECONDS`), so Node's limit on the whole request is off. */
export function prepareServer(server: Server): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket as Socket));
}
