import type { PictureHeader } from '@assay/vision';

/** An upload can be used for this long. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export interface Upload {
  readonly id: string;
  readonly workspaceId: string;
  readonly mediaType: PictureHeader['mediaType'];
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What is known of uploads; their bytes lie in the blob store. Time is the caller's, so that it can be moved. */
export interface UploadStore {
  add(upload: Upload): Promise<void>;
  /** The workspace's own upload, unless its time is over. */
  find(workspaceId: string, id: string, now: Date): Promise<Upload | undefined>;
  /** False when it was gone already: of two that remove it at once, one did. */
  remove(workspaceId: string, id: string): Promise<boolean>;
  /** Oldest first. */
  expired(now: Date, most: number): Promise<Upload[]>;
}
