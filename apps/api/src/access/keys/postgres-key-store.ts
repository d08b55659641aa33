import { type DataSource, type EntityManager, IsNull, type Repository } from 'typeorm';
import { newIdentifier } from '../../storage/database/identifier.js';
import type { ApiKey, Caller, KeyStore, NewApiKey } from './api-key.js';
import { ApiKeyRow } from './api-key.row.js';
import { findCaller } from './find-caller.js';

export class PostgresKeyStore implements KeyStore {
  private readonly rows: Repository<ApiKeyRow>;

  constructor(private readonly database: DataSource | EntityManager) {
    this.rows = database.getRepository(ApiKeyRow);
  }

  async create(key: NewApiKey): Promise<ApiKey> {
    const id = newIdentifier('key');
    await this.rows.insert({ ...key, id });
    return this.rows.findOneByOrFail({ id });
  }

  findByHash(hash: Buffer): Promise<(Caller & { readonly hash: Buffer }) | undefined> {
    return findCaller(this.database, hash);
  }

  async find(workspaceId: string, id: string): Promise<ApiKey | undefined> {
    return (await this.rows.findOneBy({ workspaceId, id })) ?? undefined;
  }

  list(workspaceId: string): Promise<ApiKey[]> {
    return this.rows.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async revoke(workspaceId: string, id: string): Promise<ApiKey | undefined> {
    await this.rows.update({ workspaceId, id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    return this.find(workspaceId, id);
  }
}
