import type { DataSource } from 'typeorm';
import type { Clock } from '../clock.js';
import { newIdentifier } from '../storage/database/identifier.js';
import { rowsOf, type Sql } from '../storage/database/rows.js';
import type { FaceCollection, Page } from './collection.js';

interface Row {
  id: string;
  workspace_id: string | null;
  name: string;
  description: string | null;
  items: number;
  changes: string;
  created_at: Date;
}

const COLUMNS = 'id, workspace_id, name, description, items, changes, created_at';

const collection = (row: Row): FaceCollection => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  description: row.description,
  items: row.items,
  changes: Number(row.changes),
  createdAt: row.created_at,
});

/** Collections as rows. Whoever changes what is in one locks its row first and the workspace's count after it. */
export class CollectionStore {
  constructor(
    private readonly source: DataSource,
    private readonly now: Clock,
  ) {}

  async create(workspaceId: string, name: string, description: string | null): Promise<FaceCollection> {
    const values = [newIdentifier('col'), workspaceId, name, description, this.now()];
    return this.one(
      `INSERT INTO face_collections (id, workspace_id, name, description, created_at)
       VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
      values,
    ) as Promise<FaceCollection>;
  }

  /** Newest first. */
  async list(workspaceId: string, { offset, limit }: Page): Promise<FaceCollection[]> {
    const found = await rowsOf<Row>(
      this.source,
      `SELECT ${COLUMNS} FROM face_collections WHERE workspace_id = $1
       ORDER BY created_at DESC, id OFFSET $2 LIMIT $3`,
      [workspaceId, offset, limit],
    );
    return found.map(collection);
  }

  /** The workspace's own, or a public one. */
  find(workspaceId: string, id: string): Promise<FaceCollection | undefined> {
    return this.one(
      `SELECT ${COLUMNS} FROM face_collections WHERE id = $1 AND (workspace_id = $2 OR workspace_id IS NULL)`,
      [id, workspaceId],
    );
  }

  /** Its items and their templates go with it. False when it was not there. */
  remove(workspaceId: string, id: string): Promise<boolean> {
    return this.source.transaction(async (sql) => {
      const [gone] = await rowsOf<{ items: number }>(
        sql,
        'DELETE FROM face_collections WHERE id = $1 AND workspace_id = $2 RETURNING items',
        [id, workspaceId],
      );
      if (gone) await countDown(sql, workspaceId, gone.items);
      return gone !== undefined;
    });
  }

  /** Whether a collection has this id or public name. */
  async isTaken(id: string): Promise<boolean> {
    return (await rowsOf(this.source, 'SELECT id FROM face_collections WHERE id = $1', [id])).length > 0;
  }

  /** Makes a collection public under a name: from then on it is nobody's and cannot be changed. False when there is none. */
  publish(workspaceId: string, id: string, name: string): Promise<boolean> {
    return this.source.transaction(async (sql) => {
      const [published] = await rowsOf<{ items: number }>(
        sql,
        'UPDATE face_collections SET id = $3, workspace_id = NULL WHERE id = $1 AND workspace_id = $2 RETURNING items',
        [id, workspaceId, name],
      );
      if (published) await countDown(sql, workspaceId, published.items);
      return published !== undefined;
    });
  }

  private async one(text: string, values: unknown[]): Promise<FaceCollection | undefined> {
    const [row] = await rowsOf<Row>(this.source, text, values);
    return row && collection(row);
  }
}

export async function countDown(sql: Sql, workspaceId: string, items: number): Promise<void> {
  if (items > 0)
    await sql.query('UPDATE face_counts SET items = items - $2 WHERE workspace_id = $1', [workspaceId, items]);
}
