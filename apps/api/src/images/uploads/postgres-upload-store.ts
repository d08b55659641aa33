import { type DataSource, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import type { Upload, UploadStore } from './upload.js';
import { UploadRow } from './upload.row.js';

export class PostgresUploadStore implements UploadStore {
  private readonly rows: Repository<UploadRow>;

  constructor(source: Pick<DataSource, 'getRepository'>) {
    this.rows = source.getRepository(UploadRow);
  }

  async add(upload: Upload): Promise<void> {
    await this.rows.insert(upload);
  }

  async find(workspaceId: string, id: string, now: Date): Promise<Upload | undefined> {
    return (await this.rows.findOneBy({ id, workspaceId, expiresAt: MoreThan(now) })) ?? undefined;
  }

  async remove(workspaceId: string, id: string): Promise<boolean> {
    return (await this.rows.delete({ id, workspaceId })).affected === 1;
  }

  expired(now: Date, most: number): Promise<Upload[]> {
    return this.rows.find({
      where: { expiresAt: LessThanOrEqual(now) },
      order: { expiresAt: 'ASC', id: 'ASC' },
      take: most,
    });
  }
}
