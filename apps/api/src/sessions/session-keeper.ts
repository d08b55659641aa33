import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Revocations } from '../access/keys/revocations.js';
import { CLOCK, type Clock } from '../clock.js';
import type { EndReason } from './ending.js';
import { SessionFaults } from './faults.js';
import { OpenSessions } from './open-sessions.js';
import { Pulse } from './pulse.js';
import type { Session } from './session.js';
import { Holders } from './store/holders.js';
import type { SessionRecord } from './store/session-record.js';
import { SessionStore } from './store/session-store.js';

const TIME_MS = 250;
const BEAT_MS = 1_000;
const SWEEP_MS = 15_000;

/** Ends the sessions of this process when it is time, and keeps the database in line with what lives here. */
@Injectable()
export class SessionKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  /** This process, as the holder of sessions. */
  readonly holder = randomUUID();
  readonly sessions = new OpenSessions();
  private readonly pulses: Pulse[];
  /** Ends that the database does not know yet. */
  private readonly unrecorded = new Map<string, EndReason>();
  private opening = 0;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly holders: Holders,
    private readonly revocations: Revocations,
    private readonly faults: SessionFaults,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.pulses = [
      new Pulse(TIME_MS, () => this.keepTime(), faults.note),
      new Pulse(BEAT_MS, () => this.beat(), faults.note),
      new Pulse(SWEEP_MS, () => this.holders.sweep(), faults.note),
    ];
  }

  get isStopping(): boolean {
    return this.stopped !== undefined;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.revocations.onRevoked((keyId) =>
      this.sessions.end('key_refused', ({ parts }) => parts.caller.key.id === keyId),
    );
    await this.revocations.start();
    for (const pulse of this.pulses) pulse.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop(0);
    for (const pulse of this.pulses) await pulse.stop();
    await this.record();
    await this.holders.leave(this.holder).catch(this.faults.note);
    await this.revocations.stop();
  }

  /** Takes no new session or socket, lets the frames in work be answered for a while, and ends all sessions. */
  stop(graceMs: number): Promise<void> {
    this.stopped ??= this.sessions.stop(graceMs);
    return this.stopped;
  }

  /** Says to other processes that this one is alive while it makes a session. */
  async whileAlive<T>(work: () => Promise<T>): Promise<T> {
    this.opening += 1;
    try {
      await this.holders.beat(this.holder, []);
      return await work();
    } finally {
      this.opening -= 1;
    }
  }

  /** As the database has it, once what is ending here has ended. */
  async find(id: string, keyId: string): Promise<SessionRecord | undefined> {
    const here = this.sessions.find(id, keyId);
    if (here?.hasEnded) await here.end('deleted');
    const found = await this.store.find(id, keyId);
    const expired = found?.reason === null && found.expiresAt <= this.now();
    if (!found || !expired) return found;
    await this.store.end(id, 'ttl_elapsed');
    return this.store.find(id, keyId);
  }

  /** Ends a session wherever it lives: its holder hears of it from the database. */
  async end(id: string, keyId: string): Promise<void> {
    await this.sessions.find(id, keyId)?.end('deleted');
    await this.store.end(id, 'deleted');
  }

  /** A session of this process has ended: nothing of it is under way any more. */
  async ended(session: Session, reason: EndReason): Promise<void> {
    this.unrecorded.set(session.id, reason);
    await this.record().catch(this.faults.note);
    // Until its end is on record it is found here, so that nobody takes it for another process's.
    this.sessions.remove(session);
  }

  private async record(): Promise<void> {
    for (const [id, reason] of [...this.unrecorded]) {
      await this.store.end(id, reason);
      this.unrecorded.delete(id);
    }
  }

  private keepTime(): void {
    const now = this.now();
    this.sessions.end('ttl_elapsed', ({ parts }) => parts.expiresAt <= now);
  }

  private async beat(): Promise<void> {
    await this.record();
    if (this.sessions.size + this.opening === 0) return;
    const elsewhere = new Set(await this.holders.beat(this.holder, this.sessions.ids));
    this.sessions.end('deleted', ({ id }) => elsewhere.has(id));
  }
}
