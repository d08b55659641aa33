import type { Evidence } from '@assay/contract';
import { Injectable } from '@nestjs/common';
import type { FaceCollection } from '../faces/collection.js';
import { CollectionStore } from '../faces/collection-store.js';
import { FaceMatching } from '../faces/face-matching.js';
import { shownFace } from '../faces/shown.js';
import { Refusal } from '../http/refusal.js';
import { describeMatches } from '../images/reading/described.js';
import type { ReadPicture } from '../images/reading/picture-reading.js';

export const EVIDENCE_FORMAT = 'svc-evidence-4';

/** Matches of one face that are told and shown. */
const MATCHES = 5;

export interface SeenPicture {
  /** What the questions are answered on. */
  readonly text: string;
  readonly shown: Evidence['images'][number];
}

/** Who is in the pictures of a request, among the collections that it names. */
@Injectable()
export class EvidenceGathering {
  constructor(
    private readonly collections: CollectionStore,
    private readonly matching: FaceMatching,
  ) {}

  /** Refuses a request that names a collection that the workspace does not have. */
  async named(workspaceId: string, ids: readonly string[]): Promise<FaceCollection[]> {
    const found: FaceCollection[] = [];
    for (const id of new Set(ids)) {
      const collection = await this.collections.find(workspaceId, id);
      if (!collection) throw new Refusal('collection_not_found');
      found.push(collection);
    }
    return found;
  }

  /** The pictures were read with the templates of all faces. */
  async see(picture: ReadPicture, id: string | null, collections: readonly FaceCollection[]): Promise<SeenPicture> {
    const { faces } = picture.faces;
    const templates = faces.flatMap(({ template }) => template ?? []);
    const rules = { limit: MATCHES, faceModel: picture.faceModel };
    const matches = await this.matching.match(collections, templates, rules);
    const words = matches.map((each) => each.map(({ item }) => item));
    return {
      text: collections.length === 0 ? picture.text : [picture.text, ...describeMatches(words)].join(' '),
      shown: { id, faces: faces.map((face, at) => shownFace(face, matches[at] ?? [])) },
    };
  }
}
