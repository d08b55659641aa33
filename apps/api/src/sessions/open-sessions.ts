import type { EndReason } from './ending.js';
import type { Session } from './session.js';

/** The sessions that live in this process. */
export class OpenSessions {
  private readonly byId = new Map<string, Session>();

  get size(): number {
    return this.byId.size;
  }

  get ids(): string[] {
    return [...this.byId.keys()];
  }

  add(session: Session): void {
    this.byId.set(session.id, session);
  }

  remove(session: Session): void {
    this.byId.delete(session.id);
  }

  /** A session of this key, also while it ends. */
  find(id: string, keyId: string): Session | undefined {
    const found = this.byId.get(id);
    return found?.parts.caller.key.id === keyId ? found : undefined;
  }

  /** Ends those that a rule holds for. */
  end(reason: EndReason, holds: (session: Session) => boolean): void {
    for (const session of this.byId.values()) if (holds(session)) void session.end(reason);
  }

  /** Lets every frame in work be answered, for a while, and ends every session. */
  async stop(graceMs: number): Promise<void> {
    const all = [...this.byId.values()];
    const late = setTimeout(() => {
      for (const session of all) session.abandon();
    }, graceMs);
    await Promise.all(all.map((session) => session.end('server_shutdown', true)));
    clearTimeout(late);
  }
}
