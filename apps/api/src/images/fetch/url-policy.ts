import { isIP } from 'node:net';

/** Longer urls are refused. */
export const MAX_URL_CHARACTERS = 2_048;

/** Names that stand for this machine or its network whatever a resolver says of them. */
const LOCAL_NAMES =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain|onion|test|invalid)$/;

export interface Target {
  readonly url: URL;
  /** Host without the brackets of an IPv6 literal and without a final dot. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** What the url asks for, or why it is not fetched: only http and https, on their own ports, without credentials. */
export function readTarget(text: string | URL, allowedPorts: readonly number[]): Target | { readonly refused: string } {
  if (String(text).length > MAX_URL_CHARACTERS) return { refused: `it is over ${MAX_URL_CHARACTERS} characters` };
  const url = URL.parse(String(text));
  if (!url) return { refused: 'it is not an address' };
  const standard = DEFAULT_PORTS[url.protocol];
  if (standard === undefined) return { refused: 'only http and https are fetched' };
  if (url.username || url.password) return { refused: 'it holds a user name or password' };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (!host) return { refused: 'it names no host' };
  if (!isIP(host) && (LOCAL_NAMES.test(host) || !host.includes('.'))) return { refused: 'its host is not public' };
  const port = url.port ? Number(url.port) : standard;
  if (!allowedPorts.includes(port)) return { refused: `port ${port} is not fetched from` };
  return { url, host, port, secure: url.protocol === 'https:' };
}
