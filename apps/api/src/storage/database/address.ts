import type { SocketAddress } from '../launcher/embedded-postgres.js';

/** Where the database is: behind the socket of the embedded server, or at the address of an external one. */
export type DatabaseAddress = SocketAddress | { readonly url: string };

/** The same place as the `pg` client wants it. */
export function clientConfig(address: DatabaseAddress) {
  return 'url' in address ? { connectionString: address.url } : { ...address };
}
