import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../storage/testing/program.js';
import type { TestDatabase } from '../../storage/testing/test-database.js';
import { type Answer, CollectionsCaller, cat, collins, hopper } from './caller.js';

type Serving = { event: 'serving'; url: string };

export interface CampaignOptions {
  readonly database: TestDatabase;
  readonly key: string;
  readonly kills: number;
  readonly seed: number;
}

export interface CampaignFigures {
  kills: number;
  enrolled: number;
  withoutFace: number;
  /** Calls whose process died before they were answered. */
  interrupted: number;
  /** Of those, calls that had been settled: their answer came with the retry. */
  settledUnseen: number;
  faults: string[];
}

/** A life lasts at most this many times what an enrollment takes a new process, so that kills fall into every part of one. */
const LONGEST_LIFE = 2;
/** When kills come too early to let any call be answered, lives grow by this. */
const GROWTH = 1.25;
const PICTURES = [hopper, collins, cat];

/** Enrolls with keys while the processes that answer are killed at random moments; every call is repeated until it is answered. */
export class KillCampaign {
  readonly figures: CampaignFigures = {
    kills: 0,
    enrolled: 0,
    withoutFace: 0,
    interrupted: 0,
    settledUnseen: 0,
    faults: [],
  };
  private readonly folder = mkdtempSync(join(tmpdir(), 'assay-enrolling-'));
  private enrollmentMs = 0;
  private random: () => number;
  private active: Promise<Program<Serving>>;
  private standby: Promise<Program<Serving>>;

  constructor(private readonly options: CampaignOptions) {
    let state = options.seed;
    this.random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    this.active = this.start();
    this.standby = this.start();
  }

  async run(): Promise<CampaignFigures> {
    const collection = await (await this.caller()).collection();
    const began = performance.now();
    await this.enroll(collection, 0);
    this.enrollmentMs = performance.now() - began;
    let over = false;
    const killing = this.killAtRandom().finally(() => {
      over = true;
    });
    for (let turn = 1; !over; turn++) await this.enroll(collection, turn);
    await killing;
    await Promise.all([this.active, this.standby].map(async (program) => (await program).kill()));
    return this.figures;
  }

  private async start(): Promise<Program<Serving>> {
    const file = join(import.meta.dirname, 'enrolling-service.ts');
    const program = new Program<Serving>(file, [this.options.database.url, this.folder]);
    await program.next('serving');
    return program;
  }

  private async caller(): Promise<CollectionsCaller> {
    const [serving] = (await this.active).events;
    return new CollectionsCaller(serving!.url, this.options.key);
  }

  private async killAtRandom(): Promise<void> {
    while (this.figures.kills < this.options.kills) {
      const victim = await this.active;
      await new Promise((done) => setTimeout(done, this.random() * LONGEST_LIFE * this.enrollmentMs));
      this.active = this.standby;
      await victim.kill();
      this.figures.kills++;
      this.standby = this.start();
    }
  }

  private async enroll(collection: string, turn: number): Promise<void> {
    const { figures } = this;
    const send = async () => {
      const caller = await this.caller();
      const words = { reference: `turn:${turn}` };
      return caller.enroll(collection, PICTURES[turn % PICTURES.length]!, words, { 'idempotency-key': `turn ${turn}` });
    };
    const first = await this.untilAnswered(send, turn);
    const again = await this.untilAnswered(send, turn);
    if (again.status !== first.status || again.text !== first.text)
      figures.faults.push(`turn ${turn}: ${first.status} ${first.text}, then ${again.status} ${again.text}`);
    if (first.status === 201) figures.enrolled++;
    else if (first.status === 422) figures.withoutFace++;
    else figures.faults.push(`turn ${turn}: ${first.status} ${first.text}`);
  }

  private async untilAnswered(send: () => Promise<Answer<unknown>>, turn: number): Promise<Answer<unknown>> {
    for (let tries = 1; ; tries++) {
      const answer = await send().catch(() => undefined);
      if (!answer) {
        this.figures.interrupted++;
        if (tries > 2) this.enrollmentMs *= GROWTH;
        await this.timePasses(turn);
      } else if (answer.status === 529 || answer.status === 409) await this.timePasses(turn);
      else return answer;
    }
  }

  /** The process that held the key is dead, and so its hold on it ends. */
  private async timePasses(turn: number): Promise<void> {
    const { source } = this.options.database;
    const [key] = await source.query<{ settled: boolean }[]>(
      'SELECT response IS NOT NULL AS settled FROM idempotency_keys WHERE key = $1',
      [`turn ${turn}`],
    );
    if (key?.settled) this.figures.settledUnseen++;
    await source.query(`UPDATE idempotency_keys SET lease_until = now() - interval '1 s' WHERE response IS NULL`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
