import type { Upload, UploadStore } from './upload.js';

export class FakeUploadStore implements UploadStore {
  private readonly uploads = new Map<string, Upload>();

  async add(upload: Upload): Promise<void> {
    if (this.uploads.has(upload.id)) throw new Error('the id is taken');
    this.uploads.set(upload.id, upload);
  }

  async find(workspaceId: string, id: string, now: Date): Promise<Upload | undefined> {
    const found = this.uploads.get(id);
    return found?.workspaceId === workspaceId && found.expiresAt > now ? found : undefined;
  }

  async remove(workspaceId: string, id: string): Promise<boolean> {
    return this.uploads.get(id)?.workspaceId === workspaceId && this.uploads.delete(id);
  }

  async expired(now: Date, most: number): Promise<Upload[]> {
    const over = [...this.uploads.values()].filter(({ expiresAt }) => expiresAt <= now);
    return over.sort((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime() || (a.id < b.id ? -1 : 1)).slice(0, most);
  }
}
