import { beforeEach, describe, expect, it } from '@jest/globals';
import { newIdentifier } from '../../storage/database/identifier.js';
import { UPLOAD_LIFETIME_MS, type Upload, type UploadStore } from './upload.js';

export interface UploadStoreUnderTest {
  readonly store: UploadStore;
  /** A fresh workspace's id. */
  newWorkspace(): Promise<string>;
}

/** What every upload store does, the fake included. */
export function uploadStoreContract(open: () => UploadStoreUnderTest): void {
  const noon = new Date('2026-03-01T12:00:00.000Z');
  const after = (ms: number) => new Date(noon.getTime() + ms);
  let store: UploadStore;
  let workspaceId: string;
  let otherId: string;

  beforeEach(async () => {
    const opened = open();
    store = opened.store;
    [workspaceId, otherId] = [await opened.newWorkspace(), await opened.newWorkspace()];
  });

  const added = async (createdAt = noon): Promise<Upload> => {
    const upload: Upload = {
      id: newIdentifier('upl'),
      workspaceId,
      mediaType: 'image/png',
      bytes: 26_214_400,
      width: 32_768,
      height: 9,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + UPLOAD_LIFETIME_MS),
    };
    await store.add(upload);
    return upload;
  };

  describe('an upload store', () => {
    it('gives back what was added, to its workspace alone', async () => {
      const upload = await added();
      expect(await store.find(workspaceId, upload.id, noon)).toMatchObject(upload);
      expect(await store.find(otherId, upload.id, noon)).toBeUndefined();
      expect(await store.find(workspaceId, newIdentifier('upl'), noon)).toBeUndefined();
    });

    it('refuses an id that is taken', async () => {
      const upload = await added();
      await expect(store.add(upload)).rejects.toThrow();
    });

    it('finds an upload to the last moment of its time and not after', async () => {
      const { id } = await added();
      expect(await store.find(workspaceId, id, after(UPLOAD_LIFETIME_MS - 1))).toBeDefined();
      expect(await store.find(workspaceId, id, after(UPLOAD_LIFETIME_MS))).toBeUndefined();
    });

    it('is removed once, and only by its workspace', async () => {
      const { id } = await added();
      expect(await store.remove(otherId, id)).toBe(false);
      expect(await Promise.all([store.remove(workspaceId, id), store.remove(workspaceId, id)])).toEqual(
        expect.arrayContaining([true, false]),
      );
      expect(await store.find(workspaceId, id, noon)).toBeUndefined();
    });

    it('lists what has expired, oldest first', async () => {
      const [second, first, third] = [await added(after(5)), await added(), await added(after(9))];
      const ids = async (now: Date, most: number) =>
        (await store.expired(now, most)).filter((upload) => upload.workspaceId === workspaceId).map(({ id }) => id);
      expect(await ids(after(UPLOAD_LIFETIME_MS - 1), 100)).toEqual([]);
      expect(await ids(after(UPLOAD_LIFETIME_MS + 5), 100)).toEqual([first.id, second.id]);
      expect(await ids(after(UPLOAD_LIFETIME_MS + 9), 100)).toEqual([first.id, second.id, third.id]);
      expect(await store.expired(after(UPLOAD_LIFETIME_MS + 9), 1)).toHaveLength(1);
    });
  });
}
