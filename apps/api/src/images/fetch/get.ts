import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import { FetchUnreached } from './outcome.js';
import type { Target } from './url-policy.js';

/** A redirect's body is never read. */
export type Reply = { readonly body: Buffer } | { readonly location: string };

export interface GetLimits {
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly authorities?: readonly string[];
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_HEADER_BYTES = 16_384;

/** Connects to the literal address given, so no resolver is asked again; TLS and Host still speak the url's name. */
function open(target: Target, address: string, limits: GetLimits): http.ClientRequest {
  const options: https.RequestOptions = {
    host: address,
    port: target.port,
    path: `${target.url.pathname}${target.url.search}`,
    method: 'GET',
    agent: false,
    signal: limits.signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      host: target.url.host,
      accept: 'image/jpeg, image/png, image/webp',
      'accept-encoding': 'identity',
      'user-agent': 'assay',
    },
  };
  if (!target.secure) return http.request(options);
  const tls = {
    servername: isIP(target.host) ? '' : target.host,
    ...(limits.authorities && { ca: [...limits.authorities] }),
  };
  return https.request({ ...options, ...tls });
}

async function readBody(response: http.IncomingMessage, most: number): Promise<Buffer> {
  const tooLong = () => new FetchUnreached(`it holds over ${most} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > most) throw tooLong();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) throw tooLong();
    parts.push(part);
  }
  if (!response.complete) throw new FetchUnreached('the connection broke off');
  return Buffer.concat(parts, bytes);
}

async function read(response: http.IncomingMessage, limits: GetLimits): Promise<Reply> {
  const status = response.statusCode ?? 0;
  if (REDIRECTS.includes(status)) return { location: response.headers.location ?? '' };
  if (status !== 200) throw new FetchUnreached(`its server answered ${status}`);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new FetchUnreached('its server sent it compressed');
  return { body: await readBody(response, limits.bytes) };
}

/** One GET to one address. What its server says beyond the picture reaches nobody. */
export async function get(target: Target, address: string, limits: GetLimits): Promise<Reply> {
  const request = open(target, address, limits);
  try {
    const response = await new Promise<http.IncomingMessage>((done, fail) => {
      request.once('response', done);
      request.on('error', fail);
      request.end();
    });
    return await read(response, limits);
  } catch (error) {
    if (error instanceof FetchUnreached) throw error;
    throw new FetchUnreached(limits.signal.aborted ? 'it was not reached in time' : 'its server could not be reached');
  } finally {
    request.destroy();
  }
}
