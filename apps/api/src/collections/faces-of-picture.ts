import { durations } from '@assay/contract';
import { FaceBundleUnusable, FacesBusy, type PictureFaces, PictureUnreadable, type Templates } from '@assay/vision';
import { Injectable } from '@nestjs/common';
import { InvalidRequest, Refusal } from '../http/refusal.js';
import { ImageError } from '../images/image-error.js';
import { type ImageObject, PictureIntake } from '../images/intake.js';
import { FaceModel } from '../images/reading/face-model.js';
import { asRefusal } from '../images/refusals.js';

export interface Reading {
  readonly workspaceId: string;
  readonly signal: AbortSignal;
}

export interface ReadFaces {
  readonly faces: PictureFaces['faces'];
  readonly faceModel: string;
}

/** A 422 about the picture: what it shows, or that it cannot be read. */
export const pictureInvalid = (
  type: 'no_face' | 'image_unreadable',
  msg: string,
  { id }: ImageObject,
): InvalidRequest => new InvalidRequest([{ type, loc: ['body', 'image'], msg, input: id ?? null }]);

const MODEL_UNAVAILABLE = {
  message: 'The face model does not run.',
  details: { reason: 'face_model_unavailable' },
} as const;

/** The faces of the one picture of an enrollment or a search, and how those two word what is wrong with it. */
@Injectable()
export class FacesOfPicture {
  constructor(
    private readonly intake: PictureIntake,
    private readonly model: FaceModel,
  ) {}

  /** Throws the 400 of an upload or a url that is no good; whatever else is wrong is found when the picture is read. */
  async check(image: ImageObject, workspaceId: string): Promise<void> {
    await this.intake.check(image, { workspaceId, position: 1 }).catch((error: unknown) => {
      if (error instanceof ImageError && !isUnreadable(error)) throw asRefusal(error);
      if (!(error instanceof ImageError)) throw error;
    });
  }

  async read(image: ImageObject, { workspaceId, signal }: Reading, templates: Templates): Promise<ReadFaces> {
    const thread = await this.model.thread().catch(() => undefined);
    if (!thread) throw new Refusal('overloaded_error', MODEL_UNAVAILABLE);
    const slow = new AbortController();
    try {
      const { bytes } = await this.intake.take(image, { workspaceId, position: 1, signal });
      using _timer = timeout(slow);
      const options = { templates, signal: AbortSignal.any([signal, slow.signal]) };
      return { faces: (await thread.read(bytes, options)).faces, faceModel: thread.id };
    } catch (error) {
      throw slow.signal.aborted ? new Refusal('overloaded_error') : worded(error, image);
    }
  }

  /** Whether an error is the picture's own answer, after which an upload that is not retained is used up. */
  isOfThePicture(error: unknown): boolean {
    return error instanceof InvalidRequest;
  }
}

const isUnreadable = ({ kind }: ImageError): boolean =>
  kind === 'unreadable' || kind === 'not_base64' || kind === 'url_unreached';

function timeout(slow: AbortController): Disposable {
  const timer = setTimeout(() => slow.abort(), durations.enrollmentSeconds * 1_000);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

function worded(error: unknown, image: ImageObject): unknown {
  if (error instanceof ImageError && isUnreadable(error))
    return pictureInvalid('image_unreadable', error.message, image);
  if (error instanceof PictureUnreadable) return pictureInvalid('image_unreadable', error.message, image);
  if (error instanceof FacesBusy) return new Refusal('overloaded_error');
  if (error instanceof FaceBundleUnusable) return new Refusal('overloaded_error', MODEL_UNAVAILABLE);
  return asRefusal(error);
}
