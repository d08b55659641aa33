import { type PictureHeader, PictureUnreadable, readHeader } from '@assay/vision';
import { decodeBase64 } from './base64.js';
import { FetchRefused, FetchUnreached } from './fetch/outcome.js';
import type { PictureFetcher } from './fetch/picture-fetcher.js';
import { ImageError } from './image-error.js';

/** An image object of a request, after the contract's validation: exactly one source is given. */
export interface ImageObject {
  readonly id?: string | null | undefined;
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly upload_id?: string | undefined;
  /** Not looked at: the bytes say what they are. */
  readonly media_type?: string | null | undefined;
}

/** Where uploads are kept. */
export interface UploadedPictures {
  /** The bytes, or nothing when the workspace has no such upload any more. */
  read(workspaceId: string, uploadId: string): Promise<Buffer | undefined>;
}

export interface IntakeCall {
  readonly workspaceId: string;
  /** Place of the image in its list, from 1: its name when the caller gave it none. */
  readonly position: number;
  /** Ends a fetch whose caller has left. */
  readonly signal?: AbortSignal | undefined;
}

export interface TakenPicture {
  readonly bytes: Buffer;
  readonly header: PictureHeader;
}

export const FETCHING_IS_OFF = 'this deployment does not fetch urls; send data or an upload_id';

/** From an image object to the bytes of one still JPEG, PNG or WebP picture within all limits; nothing is decoded yet. */
export class PictureIntake {
  constructor(
    private readonly uploads: UploadedPictures,
    /** Left out where fetching is not allowed. */
    private readonly fetcher?: PictureFetcher,
  ) {}

  /** Throws `ImageError`. Take and use pictures one by one: sixteen at once are four hundred megabytes. */
  async take(image: ImageObject, call: IntakeCall): Promise<TakenPicture> {
    const name = image.id ?? call.position;
    try {
      const bytes = await this.#bytes(image, name, call);
      return { bytes, header: readHeader(bytes) };
    } catch (error) {
      throw asImageError(error, name);
    }
  }

  /** What can be said of the image without fetching anything. Throws `ImageError`. */
  async check(image: ImageObject, call: IntakeCall): Promise<void> {
    if (image.url === undefined) return void (await this.take(image, call));
    const name = image.id ?? call.position;
    if (!this.fetcher) throw new ImageError('url_refused', name, FETCHING_IS_OFF);
    try {
      this.fetcher.check(image.url);
    } catch (error) {
      throw asImageError(error, name);
    }
  }

  async #bytes(image: ImageObject, name: string | number, call: IntakeCall): Promise<Buffer> {
    if (image.upload_id !== undefined) {
      const kept = await this.uploads.read(call.workspaceId, image.upload_id);
      if (!kept) throw new ImageError('upload_unknown', name, 'the workspace has no such upload, or it has expired');
      return kept;
    }
    if (image.url !== undefined) {
      if (!this.fetcher) throw new ImageError('url_refused', name, FETCHING_IS_OFF);
      return this.fetcher.fetch(image.url, call.signal);
    }
    const decoded = decodeBase64(image.data ?? '');
    if ('problem' in decoded) throw new ImageError('not_base64', name, decoded.problem);
    return decoded;
  }
}

/** Names the picture in what is wrong with it; a fault that is none of the picture's passes as it is. */
export function asImageError(error: unknown, name: string | number): unknown {
  if (error instanceof FetchRefused)
    return new ImageError('url_refused', name, `the url is not fetched: ${error.message}`);
  if (error instanceof FetchUnreached)
    return new ImageError('url_unreached', name, `the url was not read: ${error.message}`);
  if (error instanceof PictureUnreadable) return new ImageError('unreadable', name, error.message);
  return error;
}
