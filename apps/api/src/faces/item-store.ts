import { ownEntries, parse, stringify } from '@assay/contract';
import type { DataSource, EntityManager } from 'typeorm';
import type { Clock } from '../clock.js';
import { rowsOf, type Sql } from '../storage/database/rows.js';
import type { Box, FaceItem, ItemWords, Metadata, NewFaceItem, Page } from './collection.js';
import { countDown } from './collection-store.js';

interface Row {
  id: string;
  collection_id: string;
  change: string;
  reference: string;
  label: string | null;
  metadata: string;
  faces_found: number;
  box: string;
  price_nano: string;
  created_at: Date;
}

const COLUMNS = 'id, collection_id, change, reference, label, metadata, faces_found, box, price_nano, created_at';

const item = (row: Row): FaceItem & { change: number } => ({
  id: row.id,
  collectionId: row.collection_id,
  change: Number(row.change),
  reference: row.reference,
  label: row.label,
  metadata: parse(row.metadata) as Metadata,
  facesFound: row.faces_found,
  box: JSON.parse(row.box) as Box,
  priceNano: BigInt(row.price_nano),
  createdAt: row.created_at,
});

/** Removals are told to memory copies that are younger than this. */
export const REMOVALS_KEPT_MS = 60 * 60_000;

export type Added = { readonly createdAt: Date } | 'no_collection' | 'limit_reached';

/** Enrolled faces as rows: what a caller said of them, and their templates. */
export class ItemStore {
  constructor(
    private readonly source: DataSource,
    private readonly now: Clock,
  ) {}

  /** Within the transaction that records what it cost. Undo that when it is not added. */
  async add(transaction: EntityManager, added: NewFaceItem, itemsLimit: number): Promise<Added> {
    const [collection] = await rowsOf<{ changes: string }>(
      transaction,
      `UPDATE face_collections SET items = items + 1, changes = changes + 1 WHERE id = $1 AND workspace_id = $2
       RETURNING changes`,
      [added.collectionId, added.workspaceId],
    );
    if (!collection) return 'no_collection';
    if (!(await this.countUp(transaction, added.workspaceId, itemsLimit))) return 'limit_reached';
    const createdAt = this.now();
    await transaction.query(
      `INSERT INTO face_items (id, collection_id, change, reference, label, metadata, faces_found, box, template,
         face_model, price_nano, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        added.id,
        added.collectionId,
        collection.changes,
        added.reference,
        added.label,
        stringify(added.metadata),
        added.facesFound,
        JSON.stringify(added.box),
        Buffer.from(added.template.buffer, added.template.byteOffset, added.template.byteLength),
        added.faceModel,
        added.priceNano.toString(),
        createdAt,
      ],
    );
    return { createdAt };
  }

  /** Items of all collections of the workspace. */
  async count(workspaceId: string): Promise<number> {
    const [row] = await rowsOf<{ items: number }>(
      this.source,
      'SELECT items FROM face_counts WHERE workspace_id = $1',
      [workspaceId],
    );
    return row?.items ?? 0;
  }

  async has(collectionId: string, id: string): Promise<boolean> {
    const found = await rowsOf(this.source, 'SELECT id FROM face_items WHERE collection_id = $1 AND id = $2', [
      collectionId,
      id,
    ]);
    return found.length > 0;
  }

  /** Newest first. */
  async list(collectionId: string, reference: string | undefined, { offset, limit }: Page): Promise<FaceItem[]> {
    const found = await rowsOf<Row>(
      this.source,
      `SELECT ${COLUMNS} FROM face_items WHERE collection_id = $1 ${reference === undefined ? '' : 'AND reference = $4'}
       ORDER BY change DESC OFFSET $2 LIMIT $3`,
      [collectionId, offset, limit, ...(reference === undefined ? [] : [reference])],
    );
    return found.map(item);
  }

  /** Those that are still there, by what they were added as. */
  async byChanges(collectionId: string, changes: readonly number[]): Promise<Map<number, FaceItem>> {
    if (changes.length === 0) return new Map();
    const found = await rowsOf<Row>(
      this.source,
      `SELECT ${COLUMNS} FROM face_items WHERE collection_id = $1 AND change = ANY($2::bigint[])`,
      [collectionId, changes],
    );
    return new Map(found.map(item).map((each) => [each.change, each]));
  }

  /** What is not named stays. Nothing when there is no such item. */
  async update(collectionId: string, id: string, words: Partial<ItemWords>): Promise<FaceItem | undefined> {
    const given = ownEntries({
      reference: words.reference,
      label: words.label,
      metadata: words.metadata && stringify(words.metadata),
    }).filter(([, value]) => value !== undefined);
    const [row] = await rowsOf<Row>(
      this.source,
      `UPDATE face_items SET ${given.map(([name], at) => `${name} = $${at + 3}`).join(', ')}
       WHERE collection_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [collectionId, id, ...given.map(([, value]) => value)],
    );
    return row && item(row);
  }

  /** The template is deleted with the row; memory copies drop theirs before they are searched again. False when it was not there. */
  remove(workspaceId: string, collectionId: string, id: string): Promise<boolean> {
    return this.source
      .transaction(async (sql) => {
        const [collection] = await rowsOf<{ changes: string }>(
          sql,
          `UPDATE face_collections SET items = items - 1, changes = changes + 1 WHERE id = $1 AND workspace_id = $2
           AND EXISTS (SELECT FROM face_items WHERE collection_id = $1 AND id = $3)
         RETURNING changes`,
          [collectionId, workspaceId, id],
        );
        if (!collection) return false;
        const [gone] = await rowsOf<{ change: string }>(
          sql,
          'DELETE FROM face_items WHERE collection_id = $1 AND id = $2 RETURNING change',
          [collectionId, id],
        );
        // Another call removed it between the two statements: what was counted is undone.
        if (!gone) throw new RemovedMeanwhile();
        await sql.query('INSERT INTO face_removals (collection_id, change, removed) VALUES ($1, $2, $3)', [
          collectionId,
          collection.changes,
          gone.change,
        ]);
        await sql.query(`DELETE FROM face_removals WHERE removed_at < now() - $1 * interval '1 ms'`, [
          REMOVALS_KEPT_MS,
        ]);
        await countDown(sql, workspaceId, 1);
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof RemovedMeanwhile) return false;
        throw error;
      });
  }

  private async countUp(sql: Sql, workspaceId: string, itemsLimit: number): Promise<boolean> {
    const counted = await rowsOf(
      sql,
      `INSERT INTO face_counts AS counted (workspace_id, items) SELECT $1, 1 WHERE $2 >= 1
       ON CONFLICT (workspace_id) DO UPDATE SET items = counted.items + 1 WHERE counted.items < $2 RETURNING items`,
      [workspaceId, itemsLimit],
    );
    return counted.length > 0;
  }
}

class RemovedMeanwhile extends Error {}
