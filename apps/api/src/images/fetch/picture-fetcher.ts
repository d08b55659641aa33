import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { PICTURE_LIMITS } from '@assay/vision';
import { isPublicAddress } from './addresses.js';
import { get } from './get.js';
import { FetchRefused, FetchUnreached } from './outcome.js';
import { readTarget, type Target } from './url-policy.js';

export const FETCH_LIMITS = {
  /** A fourth redirect is refused. */
  redirects: 3,
  /** Everything together: names, connections, redirects, the last byte. */
  milliseconds: 8_000,
  bytes: PICTURE_LIMITS.bytes,
} as const;

export interface FetchPolicy {
  /** All addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isAllowed: (address: string) => boolean;
  readonly ports: readonly number[];
  readonly milliseconds: number;
  readonly bytes: number;
  /** Certificates trusted besides the well-known ones. */
  readonly authorities?: readonly string[];
}

/** What production uses; nothing in the environment can widen it. */
export const PUBLIC_INTERNET: FetchPolicy = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
  ports: [80, 443],
  milliseconds: FETCH_LIMITS.milliseconds,
  bytes: FETCH_LIMITS.bytes,
};

/** Rejects when time is up, so that a name server that never answers cannot hold a call. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(new FetchUnreached('it was not reached in time')), { once: true });
    work.then(done, fail);
  });
}

/** Fetches a picture from a host on the public internet and from nowhere else. */
export class PictureFetcher {
  constructor(private readonly policy: FetchPolicy = PUBLIC_INTERNET) {}

  /** Throws `FetchRefused` for what can be told from the address alone, without asking anyone. */
  check(address: string): void {
    const { host } = this.#target(address);
    if (isIP(host) && !this.policy.isAllowed(host)) throw new FetchRefused('its host is not public');
  }

  /** Throws `FetchRefused` for an address that is not fetched, `FetchUnreached` when it does not deliver. */
  async fetch(address: string, caller?: AbortSignal): Promise<Buffer> {
    const clock = AbortSignal.timeout(this.policy.milliseconds);
    const signal = caller ? AbortSignal.any([clock, caller]) : clock;
    let target = this.#target(address);
    for (let hop = 0; hop <= FETCH_LIMITS.redirects; hop++) {
      signal.throwIfAborted();
      const dialled = await inTime(this.#addressOf(target), signal);
      const reply = await get(target, dialled, { ...this.policy, signal });
      if ('body' in reply) return reply.body;
      target = this.#next(target, reply.location);
    }
    throw new FetchRefused(`it redirects more than ${FETCH_LIMITS.redirects} times`);
  }

  #target(address: string | URL): Target {
    const target = readTarget(address, this.policy.ports);
    if ('refused' in target) throw new FetchRefused(target.refused);
    return target;
  }

  #next(from: Target, location: string): Target {
    const to = location ? URL.parse(location, from.url.href) : null;
    if (!to) throw new FetchRefused('it redirects to no address');
    const target = this.#target(to);
    if (from.secure && !target.secure) throw new FetchRefused('it redirects from https to http');
    return target;
  }

  /** The one address that will be dialled. A name that also resolves to a refused address is refused whole. */
  async #addressOf({ host }: Target): Promise<string> {
    const addresses = isIP(host) ? [host] : await this.#resolve(host);
    if (addresses.length === 0) throw new FetchUnreached('its host is not known');
    if (!addresses.every((address) => this.policy.isAllowed(address))) throw new FetchRefused('its host is not public');
    return addresses[0]!;
  }

  async #resolve(host: string): Promise<readonly string[]> {
    try {
      return await this.policy.resolve(host);
    } catch {
      throw new FetchUnreached('its host is not known');
    }
  }
}
