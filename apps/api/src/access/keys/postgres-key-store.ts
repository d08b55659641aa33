import { type DataSource, IsNull, type Repository } from 'typeorm';
import { newIdentifier } from '../../storage/database/identifier.js';
import type { ApiKey, Caller, KeyStore, NewApiKey } from './api-key.js';
import { ApiKeyRow } from './api-key.row.js';

export class PostgresKeyStore implements KeyStore {
  private readonly rows: Repository<ApiKeyRow>;

  constructor(source: Pick<DataSource, 'getRepository'>) {
    this.rows = source.getRepository(ApiKeyRow);
  }

  async create(key: NewApiKey): Promise<ApiKey> {
    const id = newIdentifier('key');
    await this.rows.insert({ ...key, id });
    return this.rows.findOneByOrFail({ id });
  }

  async findByHash(hash: Buffer): Promise<(Caller & { readonly hash: Buffer }) | undefined> {
    const found = await this.rows
      .createQueryBuilder('key')
      .addSelect('key.hash')
      .innerJoinAndSelect('key.workspace', 'workspace')
      .where('key.hash = :hash AND key.revokedAt IS NULL', { hash })
      .getOne();
    if (!found?.workspace) return undefined;
    const { workspace, hash: stored, ...key } = found;
    return { key, workspace, hash: stored };
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
