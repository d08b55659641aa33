import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { checkExternal } from '../database/external.js';
import { installBinaries } from './binaries.js';
import { DATABASE_USER, ensureCluster } from './cluster.js';
import { prepareServerHome } from './server-home.js';
import { startServer, stopServer } from './server-process.js';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A program: `tcp-postgres.js FOLDER` runs a PostgreSQL on the loopback network, as an operator's own would be, prints its address, and
 * stops it when its input ends. For trying several processes on one database; connections are trusted.
 */
const home = await prepareServerHome(process.argv[2] ?? '');
const binaries = await installBinaries(home.root);
await ensureCluster(home, binaries);
const port = await freePort();
await startServer(home, binaries, ['listen_addresses=127.0.0.1', `port=${port}`]);
const url = `postgres://${DATABASE_USER}@127.0.0.1:${port}/postgres`;
process.stdin.resume().once('end', () => void stopServer(home).then(() => process.exit()));
await checkExternal(url);
process.stdout.write(`${url}\n`);
