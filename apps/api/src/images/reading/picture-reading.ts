import { FaceBundleUnusable, FacesBusy, type PictureFaces, type Templates } from '@assay/vision';
import { Refusal } from '../../http/refusal.js';
import { asImageError, type ImageObject, type IntakeCall, type PictureIntake } from '../intake.js';
import { asRefusal } from '../refusals.js';
import type { KeptPictures } from '../uploads/kept-pictures.js';
import { describePicture } from './described.js';
import type { FaceModel } from './face-model.js';

export interface ReadingCall {
  readonly workspaceId: string;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadPicture {
  readonly name: string | number;
  /** A further element of the state that questions are answered on. */
  readonly text: string;
  readonly faces: PictureFaces;
  /** Templates of different models cannot be compared. */
  readonly faceModel: string;
}

export const NO_MODEL_READS_PICTURES = 'No installed model can read pictures.';

function refused(error: unknown): unknown {
  if (error instanceof FacesBusy) return new Refusal('overloaded_error');
  if (error instanceof FaceBundleUnusable)
    return new Refusal('overloaded_error', { details: { reason: 'face_model_unavailable' } });
  return asRefusal(error);
}

/** From the images of a request to what the installed models can read in them. Everything it throws is for the caller to see. */
export class PictureReading {
  constructor(
    private readonly intake: PictureIntake,
    private readonly kept: KeptPictures,
    private readonly model: FaceModel,
  ) {}

  /** What can be said without reading anything: before a call is counted, and before its caller's urls are fetched. */
  async check(images: readonly ImageObject[], call: ReadingCall): Promise<void> {
    if (images.length === 0) return;
    const thread = await this.model.thread().catch((error: unknown) => Promise.reject(refused(error)));
    if (!thread) throw new Refusal('api_usage_error', { message: NO_MODEL_READS_PICTURES });
    for (const [index, image] of images.entries())
      await this.intake.check(image, at(index, call)).catch((error: unknown) => Promise.reject(refused(error)));
  }

  /** One picture after another, so that no more than one is held. */
  async read(images: readonly ImageObject[], call: ReadingCall, templates: Templates): Promise<ReadPicture[]> {
    const pictures: ReadPicture[] = [];
    for (const [index, image] of images.entries()) {
      const name = image.id ?? index + 1;
      const { faces, faceModel } = await this.facesOf(image, at(index, call), templates).catch((error: unknown) =>
        Promise.reject(refused(asImageError(error, name))),
      );
      pictures.push({ name, text: describePicture(name, faces), faces, faceModel });
    }
    return pictures;
  }

  /** In a zero-retention workspace an upload is used up by an answer that is the picture's own. */
  async useUp(images: readonly ImageObject[], workspace: { id: string; zeroRetention: boolean }): Promise<void> {
    if (!workspace.zeroRetention) return;
    for (const { upload_id } of images) if (upload_id !== undefined) await this.kept.forget(workspace.id, upload_id);
  }

  private async facesOf(
    image: ImageObject,
    call: IntakeCall,
    templates: Templates,
  ): Promise<Pick<ReadPicture, 'faces' | 'faceModel'>> {
    const thread = await this.model.thread();
    if (!thread) throw new Refusal('api_usage_error', { message: NO_MODEL_READS_PICTURES });
    const { bytes } = await this.intake.take(image, call);
    return { faces: await thread.read(bytes, { templates, signal: call.signal }), faceModel: thread.id };
  }
}

const at = (index: number, { workspaceId, signal }: ReadingCall): IntakeCall => ({
  workspaceId,
  signal,
  position: index + 1,
});
