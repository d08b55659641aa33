/** Edits (insert, delete, replace) that turn one word into the other. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

const FURTHEST_TYPO = 6;

/** The known name a mistyped one most likely meant, if any is near enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, edits: distance(name, candidate) }));
  ranked.sort((a, b) => a.edits - b.edits);
  return ranked[0] && ranked[0].edits <= FURTHEST_TYPO ? ranked[0].candidate : undefined;
}
