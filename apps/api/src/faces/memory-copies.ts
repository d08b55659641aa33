import { MatchThread, PACKED_BYTES } from '@assay/vision';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsOf } from '../storage/database/rows.js';
import type { FaceCollection } from './collection.js';
import { REMOVALS_KEPT_MS } from './item-store.js';

/** Templates loaded by one statement. */
const LOADED_AT_ONCE = 20_000;
/** A copy that was not used for this long is given up: it costs memory, and removals are told for a limited time only. */
const UNUSED_MS = REMOVALS_KEPT_MS / 2;

interface Copy {
  /** `changes` of the collection that the copy follows up to. */
  changes: number;
  usedAt: number;
  following: Promise<void>;
}

interface Loaded {
  keys: string[] | null;
  templates: Buffer | null;
}

/**
 * This process's copies of the templates, brought up to date before every search by one cheap question: has the collection's count of
 * changes moved? So what was enrolled anywhere is found by the very next search, and what was deleted never again.
 */
export class MemoryCopies {
  private readonly copies = new Map<string, Copy>();
  private current: MatchThread | undefined;

  constructor(private readonly source: DataSource) {}

  /** The thread with an up-to-date set, and the set's name. */
  async upToDate({ id }: Pick<FaceCollection, 'id'>, faceModel: string): Promise<{ thread: MatchThread; set: string }> {
    const thread = this.thread();
    this.giveUpUnused();
    const set = `${id} ${faceModel}`;
    const copy = this.copies.get(set) ?? { changes: 0, usedAt: 0, following: Promise.resolve() };
    this.copies.set(set, copy);
    copy.usedAt = performance.now();
    // One after another: two at once would add the same items twice.
    const following = copy.following.catch(() => undefined).then(() => this.follow(id, faceModel, set, copy, thread));
    copy.following = following;
    await following.catch((error: unknown) => {
      // What was taken over before the fault is not known: the copy is made anew.
      this.copies.delete(set);
      thread.drop(set);
      throw error;
    });
    return { thread, set };
  }

  async close(): Promise<void> {
    await this.current?.close();
  }

  private thread(): MatchThread {
    if (this.current && !this.current.ended) return this.current;
    this.copies.clear();
    this.current = new MatchThread();
    return this.current;
  }

  private giveUpUnused(): void {
    for (const [set, { usedAt }] of this.copies) {
      if (usedAt > performance.now() - UNUSED_MS) continue;
      this.copies.delete(set);
      this.current?.drop(set);
    }
  }

  private async follow(id: string, faceModel: string, set: string, copy: Copy, thread: MatchThread): Promise<void> {
    const [row] = await rowsOf<{ changes: string }>(this.source, 'SELECT changes FROM face_collections WHERE id = $1', [
      id,
    ]);
    if (!row) {
      this.copies.delete(set);
      return thread.drop(set);
    }
    if (Number(row.changes) === copy.changes) return;
    // Everything is read as of one moment, so that no change falls between two statements.
    await this.source.transaction('REPEATABLE READ', async (sql) => {
      const [now] = await rowsOf<{ changes: string }>(sql, 'SELECT changes FROM face_collections WHERE id = $1', [id]);
      if (!now) return;
      const removed = await rowsOf<{ removed: string }>(
        sql,
        'SELECT removed FROM face_removals WHERE collection_id = $1 AND change > $2',
        [id, copy.changes],
      );
      if (removed.length > 0)
        thread.remove(
          set,
          Float64Array.from(removed, (each) => Number(each.removed)),
        );
      await this.load(sql, { id, faceModel, set, after: copy.changes, thread });
      copy.changes = Number(now.changes);
    });
  }

  private async load(
    sql: EntityManager,
    {
      id,
      faceModel,
      set,
      after,
      thread,
    }: { id: string; faceModel: string; set: string; after: number; thread: MatchThread },
  ): Promise<void> {
    for (let last = after; ; ) {
      const [{ keys, templates } = { keys: null, templates: null }] = await rowsOf<Loaded>(
        sql,
        `SELECT array_agg(change ORDER BY change) AS keys, string_agg(template, ''::bytea ORDER BY change) AS templates
         FROM (SELECT change, template FROM face_items
           WHERE collection_id = $1 AND change > $2 AND face_model = $3 ORDER BY change LIMIT $4) AS next`,
        [id, last, faceModel, LOADED_AT_ONCE],
      );
      if (!keys || !templates) return;
      const bytes = new Int8Array(keys.length * PACKED_BYTES);
      bytes.set(new Int8Array(templates.buffer, templates.byteOffset, templates.byteLength));
      last = Number(keys.at(-1));
      thread.append(set, Float64Array.from(keys, Number), bytes);
      if (keys.length < LOADED_AT_ONCE) return;
    }
  }
}
