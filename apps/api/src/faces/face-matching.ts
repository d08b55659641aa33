import { cosineOf, MatchingLost, packTemplate, similarityOf, thresholdAmong } from '@assay/vision';
import type { FaceCollection, FaceItem } from './collection.js';
import type { ItemStore } from './item-store.js';
import type { MemoryCopies } from './memory-copies.js';

export interface FaceMatch {
  readonly collection: FaceCollection;
  readonly item: FaceItem;
  /** Probability that both faces are of one person, had that been as likely as not. */
  readonly similarity: number;
}

export interface MatchRules {
  /** Matches of one face. */
  readonly limit: number;
  /** Least similarity; when left out, one stranger in a hundred finds a match. */
  readonly least?: number | undefined;
  readonly faceModel: string;
}

interface Candidate {
  readonly collection: FaceCollection;
  readonly key: number;
  readonly cosine: number;
}

/** Who the faces of a picture are, among the items of collections. */
export class FaceMatching {
  constructor(
    private readonly copies: MemoryCopies,
    private readonly items: ItemStore,
  ) {}

  /** For every template its matches, most similar first. */
  async match(
    collections: readonly FaceCollection[],
    templates: readonly Float32Array[],
    rules: MatchRules,
  ): Promise<FaceMatch[][]> {
    const found: Candidate[][] = templates.map(() => []);
    for (const collection of collections) {
      const each = await this.candidates(collection, collections, templates, rules);
      for (const [face, more] of each.entries()) found[face]?.push(...more);
    }
    return Promise.all(found.map((candidates) => this.withItems(candidates, rules.limit)));
  }

  private async candidates(
    collection: FaceCollection,
    all: readonly FaceCollection[],
    templates: readonly Float32Array[],
    rules: MatchRules,
  ): Promise<Candidate[][]> {
    const faces = all.reduce((sum, { items }) => sum + items, 0);
    const least = rules.least === undefined ? thresholdAmong(faces) : cosineOf(rules.least);
    const sought = templates.map((template) => ({ template: packTemplate(template), least, limit: rules.limit }));
    for (let tries = 1; ; tries++)
      try {
        const { thread, set } = await this.copies.upToDate(collection, rules.faceModel);
        const found = await thread.search(set, sought);
        return found.map((each) => each.map((candidate) => ({ ...candidate, collection })));
      } catch (error) {
        if (!(error instanceof MatchingLost) || tries > 1) throw error;
      }
  }

  /** What was deleted since the search has no row any more, and is no match. */
  private async withItems(candidates: readonly Candidate[], limit: number): Promise<FaceMatch[]> {
    const best = [...candidates].sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    const wanted = new Map<string, number[]>();
    for (const { collection, key } of best) wanted.set(collection.id, [...(wanted.get(collection.id) ?? []), key]);
    const items = new Map<string, Map<number, FaceItem>>();
    for (const [id, keys] of wanted) items.set(id, await this.items.byChanges(id, keys));
    return best.flatMap(({ collection, key, cosine }) => {
      const item = items.get(collection.id)?.get(key);
      return item ? [{ collection, item, similarity: similarityOf(cosine) }] : [];
    });
  }
}
