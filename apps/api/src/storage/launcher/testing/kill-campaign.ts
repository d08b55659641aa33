import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCreditStore } from '../../../metering/credit/postgres-credit-store.js';
import { type Database, openDatabase } from '../../database/open-database.js';
import { Program } from '../../testing/program.js';
import type { ServiceEvent } from './ledger-service.js';
import { killIfThere, serverProcesses } from './server-processes.js';

export type Figures = {
  kills: number;
  killsOfService: number;
  killsOfServer: number;
  firstStarts: number;
  threeAtOnce: number;
  acknowledged: number;
  lost: number;
  firstKeysTold: number;
  workspaces: number;
  ledgerFaults: number;
  carriedOn: number;
  leftBehind: number;
};

const SERVICE = join(import.meta.dirname, 'ledger-service.ts');
const silent = { info: () => undefined, warn: () => undefined };

type Service = Program<ServiceEvent>;

/** Random, but the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/**
 * Kills the service and its database at random moments of first start, migration and running, and looks after every kill whether
 * everything that was acknowledged is there.
 */
export class KillCampaign {
  readonly figures: Figures = {
    kills: 0,
    killsOfService: 0,
    killsOfServer: 0,
    firstStarts: 0,
    threeAtOnce: 0,
    acknowledged: 0,
    lost: 0,
    firstKeysTold: 0,
    workspaces: 0,
    ledgerFaults: 0,
    carriedOn: 0,
    leftBehind: 0,
  };
  private readonly random: () => number;
  private names = 0;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  async run(kills: number): Promise<Figures> {
    const startMs = await this.undisturbed();
    while (this.figures.kills < kills) await this.life(startMs, kills);
    return this.figures;
  }

  /** How long a first start takes here, so that kills fall on all of it. */
  private async undisturbed(): Promise<number> {
    return this.withFolder(async (folder) => {
      const began = Date.now();
      const service = this.start(folder);
      await service.next('ready');
      const took = Date.now() - began;
      await service.kill('SIGTERM');
      await this.inspect(folder, [service]);
      return took;
    });
  }

  /** One data folder from its first start, alone or three at once, through four kills: two while it comes up, two while it runs. */
  private async life(startMs: number, kills: number): Promise<void> {
    await this.withFolder(async (folder) => {
      const services: Service[] = [];
      const together = this.random() < 0.5 ? 3 : 1;
      this.figures.firstStarts += 1;
      if (together === 3) this.figures.threeAtOnce += 1;
      for (let round = 0; round < 4 && this.figures.kills < kills; round += 1) {
        const running = Array.from({ length: round === 0 ? together : 1 }, () => this.start(folder));
        services.push(...running);
        const settled = round >= 2;
        if (settled) await Promise.all(running.map((service) => service.next('charged')));
        await sleep(this.random() * (settled ? 300 : startMs * 1.2));
        const survivors = await this.strike(folder, running, settled);
        await Promise.all(survivors.map((service) => service.next('charged', service.events.length)));
        this.figures.carriedOn += survivors.length;
        await Promise.all(running.map((service) => service.kill()));
        await this.inspect(folder, services);
      }
      this.figures.acknowledged += services.flatMap(acknowledgedBy).length;
      while ((await serverProcesses(folder, ['initdb'])).length > 0) await sleep(50);
      await this.inspect(folder, services);
      const left = (await readdir(join(folder, 'postgres'))).filter((name) => name.includes('.making-'));
      this.figures.leftBehind += left.length;
    });
  }

  /** Kills one service, or the database below all of them; those that come back are who must carry on by themselves. */
  private async strike(folder: string, [first, ...others]: Service[], settled: boolean): Promise<Service[]> {
    const servers = this.random() < 0.5 ? await serverProcesses(folder) : [];
    this.figures.kills += 1;
    if (servers.length === 0) {
      this.figures.killsOfService += 1;
      await first?.kill();
      return others;
    }
    this.figures.killsOfServer += 1;
    for (const pid of servers) killIfThere(pid);
    return settled && first ? [first, ...others] : [];
  }

  private start(folder: string): Service {
    this.names += 1;
    return new Program<ServiceEvent>(SERVICE, ['--data', folder, '--name', `s${this.names}`]);
  }

  private async inspect(folder: string, services: Service[]): Promise<void> {
    const database = await openDatabase({ dataFolder: folder, poolSize: 2, log: silent });
    try {
      await this.compare(database, services);
    } finally {
      await database.close();
    }
  }

  private async compare({ source }: Database, services: Service[]): Promise<void> {
    const acknowledged = services.flatMap(acknowledgedBy);
    const rows = await source.query<{ reference: string }[]>('SELECT reference FROM ledger_entries');
    const stored = new Set(rows.map(({ reference }) => reference));
    const lost = acknowledged.filter((reference) => !stored.has(reference));
    const secrets = services.flatMap(({ events }) => events.filter(({ event }) => event === 'first')).length;
    const [{ count } = { count: 0 }] = await source.query<{ count: number }[]>('SELECT count(*)::int FROM workspaces');
    this.figures.lost += lost.length;
    this.figures.firstKeysTold = Math.max(this.figures.firstKeysTold, secrets);
    this.figures.workspaces = Math.max(this.figures.workspaces, count);
    this.figures.ledgerFaults += (await new PostgresCreditStore(source).verify()).length;
  }

  private async withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'assay-kills-'));
    await chmod(folder, 0o755);
    try {
      return await work(folder);
    } finally {
      for (const pid of await serverProcesses(folder)) killIfThere(pid);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  }
}

function acknowledgedBy({ events }: Service): string[] {
  return events.flatMap((event) => (event.event === 'charged' ? [event.reference] : []));
}
