import type { Face as ShownFace, FaceMatch as ShownMatch } from '@assay/contract';
import type { FoundFace } from '@assay/vision';
import type { Box } from './collection.js';
import type { FaceMatch } from './face-matching.js';

const rounded = (probability: number): number => Math.round(probability * 100) / 100;

/** Whole pixels of the picture as sent. */
export const shownBox = ({ x1, y1, x2, y2 }: Box): Box => ({
  x1: Math.max(0, Math.round(x1)),
  y1: Math.max(0, Math.round(y1)),
  x2: Math.max(0, Math.round(x2)),
  y2: Math.max(0, Math.round(y2)),
});

/** What a public collection keeps beside a face is not shown to those who only read it. */
function shownMatch({ collection, item, similarity }: FaceMatch): ShownMatch {
  const { id, reference, label, metadata } = item;
  const own = collection.workspaceId !== null;
  return {
    collection: collection.id,
    item: id,
    reference,
    label,
    ...(own && { metadata }),
    similarity: rounded(similarity),
  };
}

/** A face and its matches, as answers and evidence show them. */
export const shownFace = ({ box, confidence }: FoundFace, matches: readonly FaceMatch[]): ShownFace => ({
  box: shownBox(box),
  confidence: rounded(confidence),
  matches: matches.map(shownMatch),
});
