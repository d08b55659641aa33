import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCreditStore } from '../../../metering/credit/postgres-credit-store.js';
import { type Database, openDatabase } from '../../database/open-database.js';
import { Program } from '../../testing/program.js';
import type { ServiceEvent } from './ledger-service.js';

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
  recoveredWhileRunning: number;
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
    recoveredWhileRunning: 0,
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

  /** One data folder from its first start, alone or three at once, through four kills. */
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
        await this.strike(folder, running);
        if (settled && round === 3) await this.seeRecovery(running);
        await Promise.all(running.map((service) => service.kill()));
        await this.inspect(folder, services);
      }
    });
  }

  private async strike(folder: string, services: Service[]): Promise<void> {
    const servers = this.random() < 0.5 ? await serverProcesses(folder) : [];
    this.figures.kills += 1;
    if (servers.length === 0) {
      this.figures.killsOfService += 1;
      await services[0]?.kill();
      return;
    }
    this.figures.killsOfServer += 1;
    for (const pid of servers) killIfThere(pid);
  }

  /** A service whose database was killed carries on by itself. */
  private async seeRecovery(services: Service[]): Promise<void> {
    for (const service of services.slice(1)) await service.next('charged', service.events.length);
    const [first] = services;
    if (!first || (await Promise.race([first.ended(), sleep(0)])) !== undefined) return;
    await first.next('charged', first.events.length);
    this.figures.recoveredWhileRunning += 1;
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
    const left = (await readdir(join(folder, 'postgres'))).filter((name) => name.includes('.making-'));
    if (left.length > 0) throw new Error(`left behind: ${left.join()}`);
  }

  private async compare({ source }: Database, services: Service[]): Promise<void> {
    const events = services.flatMap((service) => service.events);
    const acknowledged = events.flatMap((event) => (event.event === 'charged' ? [event.reference] : []));
    const rows = await source.query<{ reference: string }[]>('SELECT reference FROM ledger_entries');
    const stored = new Set(rows.map(({ reference }) => reference));
    const lost = acknowledged.filter((reference) => !stored.has(reference));
    const secrets = events.filter(({ event }) => event === 'first').length;
    const [{ count } = { count: 0 }] = await source.query<{ count: number }[]>('SELECT count(*)::int FROM workspaces');
    this.figures.acknowledged += acknowledged.length;
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

/** initdb and the server's main process on this folder, by what they were started with. */
async function serverProcesses(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    const command = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    const [program = ''] = command.split('\0');
    if (command.includes(folder) && ['postgres', 'initdb'].includes(basename(program))) found.push(Number(name));
  }
  return found;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
