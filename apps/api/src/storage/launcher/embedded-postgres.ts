import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorMessage } from '../error-code.js';
import { removeAbandoned } from './aside.js';
import { installBinaries, removeOtherBinaries } from './binaries.js';
import { DATABASE_USER, ensureCluster } from './cluster.js';
import { DATABASE_NAME, isLastToLeave, probe } from './probe.js';
import { prepareServerHome, type ServerHome } from './server-home.js';
import { lastWords, type ServerProcess, startServer, stopServer } from './server-process.js';
import { EmbeddedPostgresUnavailable, explainFailure } from './unavailable.js';

export type LauncherLog = {
  info(message: string): void;
  warn(message: string): void;
};

export type SocketAddress = { readonly host: string; readonly user: string; readonly database: string };

const POLL_MS = 25;
const BACK_OFF_MS = { first: 100, max: 5_000 };
/** A first start gives up after this many servers in a row that ended by themselves; a running service never gives up. */
const STARTS_BEFORE_GIVING_UP = 4;

/**
 * A PostgreSQL server on a data folder, shared by every process that opens the same folder. No lock of our own is needed: the data
 * folder appears by one rename, the server's lock file lets one server run, and whoever comes second uses the first one's. Each user
 * keeps one connection open as its presence; the last one to leave stops the server, and a server that outlived a killed
 * service is simply used by the next.
 */
export class EmbeddedPostgres {
  private presence: pg.Client | undefined;
  private stopping = false;
  private recovery: Promise<void> | undefined;

  private constructor(
    private readonly home: ServerHome,
    private readonly log: LauncherLog,
  ) {}

  static async start(dataFolder: string, log: LauncherLog): Promise<EmbeddedPostgres> {
    const home = await prepareServerHome(dataFolder);
    await removeAbandoned(home.root);
    const server = new EmbeddedPostgres(home, log);
    await server.bringUp(STARTS_BEFORE_GIVING_UP);
    return server;
  }

  get address(): SocketAddress {
    return { host: this.home.sockets, user: DATABASE_USER, database: DATABASE_NAME };
  }

  get isUp(): boolean {
    return this.presence !== undefined;
  }

  /** Leaves the server, and stops it unless another process still uses it. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.recovery;
    const presence = this.presence ?? (await this.ownStart());
    this.presence = undefined;
    if (!presence) return;
    if (await isLastToLeave(presence).catch(() => false)) await stopServer(this.home);
    await presence.end().catch(() => undefined);
  }

  /** A server that was being started again when we were told to stop. */
  private async ownStart(): Promise<pg.Client | undefined> {
    const found = await probe(this.home.sockets);
    return found.state === 'ready' ? found.presence : undefined;
  }

  private async bringUp(attempts: number): Promise<void> {
    let failures = 0;
    let server: ServerProcess | undefined;
    while (!this.stopping) {
      const found = await probe(this.home.sockets);
      if (found.state === 'ready') return this.watch(found.presence);
      if (found.state === 'starting' || server?.running()) {
        await sleep(POLL_MS);
        continue;
      }
      if (server) failures += 1;
      if (failures >= attempts) throw await this.gaveUp();
      if (failures === attempts - 1) await this.endUnreachable();
      if (failures > 0) await sleep(Math.min(BACK_OFF_MS.first * 2 ** failures, BACK_OFF_MS.max));
      server = await this.launch();
    }
  }

  private async launch(): Promise<ServerProcess> {
    const binaries = await installBinaries(this.home.root);
    await removeOtherBinaries(this.home.root, binaries);
    await ensureCluster(this.home, binaries);
    try {
      const server = await startServer(this.home, binaries);
      this.log.info(`started the embedded PostgreSQL (pid ${server.pid}) on ${this.home.cluster}`);
      server.exited.catch((error) => this.log.warn(explainFailure('starting it', error).message));
      return server;
    } catch (error) {
      throw explainFailure('starting it', error);
    }
  }

  /** A server that holds the data folder but cannot be reached, for instance because its socket was deleted, is of no use to anybody. */
  private async endUnreachable(): Promise<void> {
    this.log.warn('the embedded PostgreSQL does not come up: ending any server that still holds its data folder');
    await stopServer(this.home);
  }

  private watch(presence: pg.Client): void {
    this.presence = presence;
    presence.once('end', () => {
      if (this.presence !== presence || this.stopping) return;
      this.presence = undefined;
      this.log.warn('the embedded PostgreSQL is gone: starting it again');
      this.recovery = this.recover();
    });
  }

  /** Calls are refused while this runs. A cause that will not go away by itself, such as a full disk, may still be removed by hand. */
  private async recover(): Promise<void> {
    for (let wait = BACK_OFF_MS.first; !this.stopping; wait = Math.min(wait * 2, BACK_OFF_MS.max)) {
      try {
        await this.bringUp(STARTS_BEFORE_GIVING_UP);
        if (!this.stopping) this.log.info('the embedded PostgreSQL is back');
        return;
      } catch (error) {
        this.log.warn(errorMessage(error));
        await sleep(wait);
      }
    }
  }

  private async gaveUp(): Promise<EmbeddedPostgresUnavailable> {
    return explainFailure('starting it', `the server ended by itself: ${await lastWords(this.home)}`);
  }
}
