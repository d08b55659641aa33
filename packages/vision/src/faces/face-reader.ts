import { FaceNetworks, type NetworkOptions } from '../networks/networks.ts';
import { type DecodedPicture, decode } from '../picture/decode.ts';
import { type Box, boxAsSent, type Point, pointAsSent } from '../picture/orientation.ts';
import { PictureUnreadable } from '../picture/picture-error.ts';
import { areaOf, overlap, type Scored } from './boxes.ts';
import { detect } from './detector.ts';
import { type FaceShape, findShape } from './landmarks.ts';
import { Pyramid } from './pyramid.ts';
import { makeTemplate } from './template.ts';

export const FACE_LIMITS = {
  /** Least confidence of the detector in a face that can be enrolled. */
  confidence: 0.7,
  /** Least area of such a face, in square pixels of the picture as sent. */
  area: 1_000,
  /** Most faces told of one picture, the largest first. */
  found: 64,
  /** Most places of a picture, the largest first, that are looked at closely. */
  examined: 128,
  /** More places that look like faces make the picture `too_many_faces`. */
  most: 1_024,
} as const;

export interface FoundFace {
  /** In pixels of the picture as it was sent. */
  readonly box: Box;
  readonly confidence: number;
  /** Left eye, right eye, nose, left and right corner of the mouth, in pixels of the picture as it was sent. */
  readonly landmarks: readonly Point[];
}

export interface Face extends FoundFace {
  readonly template: Float32Array;
}

/** Whether an enrollment can take the face. */
export const isEligible = ({ box, confidence }: FoundFace): boolean =>
  confidence >= FACE_LIMITS.confidence && areaOf(box) >= FACE_LIMITS.area;

/** The faces of one picture, which is held until templates have been made. */
export class FacesInPicture {
  readonly faces: readonly FoundFace[];
  readonly #shapes = new Map<FoundFace, FaceShape>();

  readonly picture: DecodedPicture;
  readonly #networks: FaceNetworks;
  readonly #pyramid: Pyramid;

  constructor(
    networks: FaceNetworks,
    picture: DecodedPicture,
    pyramid: Pyramid,
    found: ReadonlyArray<Scored & FaceShape>,
  ) {
    this.#networks = networks;
    this.picture = picture;
    this.#pyramid = pyramid;
    const { pixels, header, orientation } = picture;
    this.faces = found.map((face) => {
      const asSent = {
        confidence: face.confidence,
        box: boxAsSent(face.box, pixels, header, orientation),
        landmarks: face.landmarks.map((point) => pointAsSent(point, pixels, header, orientation)),
      };
      this.#shapes.set(asSent, face);
      return asSent;
    });
  }

  async template(face: FoundFace): Promise<Float32Array> {
    const shape = this.#shapes.get(face);
    if (!shape) throw new Error('the face is of another picture');
    return makeTemplate(this.#networks, this.#pyramid, shape.landmarks);
  }
}

const MOST_OVERLAP = 0.4;

const byArea = (a: Scored, b: Scored): number => areaOf(b.box) - areaOf(a.box) || b.confidence - a.confidence;

/** Picture in, faces and templates out. The same bytes give the same faces and templates. */
export class FaceReader {
  readonly #networks: FaceNetworks;

  private constructor(networks: FaceNetworks) {
    this.#networks = networks;
  }

  static async load(folder: string, options: NetworkOptions): Promise<FaceReader> {
    return new FaceReader(await FaceNetworks.load(folder, options));
  }

  /** Id of the bundle that answers: templates of different bundles cannot be compared. */
  get id(): string {
    return this.#networks.manifest.id;
  }

  /** Faces without templates, largest first. Throws `PictureUnreadable`; stops between two steps when the signal says so. */
  async find(bytes: Buffer, signal?: AbortSignal): Promise<FacesInPicture> {
    const picture = await decode(bytes);
    signal?.throwIfAborted();
    const places = await detect(this.#networks, picture.pixels);
    if (places.length > FACE_LIMITS.most)
      throw new PictureUnreadable('too_many_faces', `the picture holds over ${FACE_LIMITS.most} faces`);
    const pyramid = new Pyramid(picture.pixels);
    const found: Array<Scored & FaceShape> = [];
    for (const place of places.sort(byArea).slice(0, FACE_LIMITS.examined)) {
      signal?.throwIfAborted();
      const shape = await findShape(this.#networks, pyramid, place.box);
      if (!shape || found.some(({ extent }) => overlap(extent, shape.extent) > MOST_OVERLAP)) continue;
      found.push({ ...place, ...shape });
      if (found.length === FACE_LIMITS.found) break;
    }
    return new FacesInPicture(this.#networks, picture, pyramid, found);
  }

  /** Every face with its template, largest first. */
  async faces(bytes: Buffer, signal?: AbortSignal): Promise<Face[]> {
    const found = await this.find(bytes, signal);
    const faces: Face[] = [];
    for (const face of found.faces) {
      signal?.throwIfAborted();
      faces.push({ ...face, template: await found.template(face) });
    }
    return faces;
  }

  close(): Promise<void> {
    return this.#networks.close();
  }
}
