import type { DataSource, EntityManager, Repository } from 'typeorm';
import { newIdentifier } from '../../storage/database/identifier.js';
import type { NewWorkspace, Page, Workspace, WorkspaceChanges, WorkspaceStore } from './workspace.js';
import { WorkspaceRow } from './workspace.row.js';

export class PostgresWorkspaceStore implements WorkspaceStore {
  private readonly rows: Repository<WorkspaceRow>;

  constructor(database: DataSource | EntityManager) {
    this.rows = database.getRepository(WorkspaceRow);
  }

  async create(workspace: NewWorkspace): Promise<Workspace> {
    const id = newIdentifier('ws');
    await this.rows.insert({ ...workspace, id });
    return this.rows.findOneByOrFail({ id });
  }

  async find(id: string): Promise<Workspace | undefined> {
    return (await this.rows.findOneBy({ id })) ?? undefined;
  }

  list({ offset, limit }: Page): Promise<Workspace[]> {
    return this.rows.find({ order: { createdAt: 'ASC', id: 'ASC' }, skip: offset, take: limit });
  }

  async update(id: string, changes: WorkspaceChanges): Promise<Workspace | undefined> {
    if (Object.keys(changes).length > 0) await this.rows.update({ id }, changes);
    return this.find(id);
  }
}
