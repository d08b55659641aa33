import type { Collection, Item } from '@assay/contract';
import type { FaceCollection, FaceItem } from '../faces/collection.js';

const NANO_PER_USD = 1_000_000_000;

export const shownCollection = ({
  id,
  name,
  description,
  items,
  workspaceId,
  createdAt,
}: FaceCollection): Collection => ({
  id,
  name,
  description,
  items,
  public: workspaceId === null,
  created_at: createdAt.toISOString(),
});

export function shownItem(item: FaceItem): Item {
  const usd = Number(item.priceNano) / NANO_PER_USD;
  return {
    id: item.id,
    collection: item.collectionId,
    reference: item.reference,
    label: item.label,
    metadata: item.metadata,
    faces_found: item.facesFound,
    box: item.box,
    created_at: item.createdAt.toISOString(),
    usage: { enrollments: 1, cost: { usd, boosters_usd: usd, model_usd: 0, free_tier: false } },
  };
}

/** A page, from what was asked for and one more. */
export function page<T>(found: readonly T[], { offset, limit }: { offset: number; limit: number }) {
  return { entries: found.slice(0, limit), next_offset: found.length > limit ? offset + limit : null };
}
