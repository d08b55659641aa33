import type { PictureFaces } from '@assay/vision';

/** Faces told one by one; of a crowd the largest. */
const DESCRIBED = 16;

const ROWS = ['top', 'middle', 'bottom'] as const;
const COLUMNS = ['left', 'middle', 'right'] as const;

/** Which third a point lies in. */
const third = (value: number, size: number): 0 | 1 | 2 => (value < size / 3 ? 0 : value < (2 * size) / 3 ? 1 : 2);

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)}%`;

function placeOf(x: number, y: number, { width, height }: PictureFaces['size']): string {
  const row = ROWS[third(y, height)];
  const column = COLUMNS[third(x, width)];
  if (row === 'middle') return column === 'middle' ? 'in the middle' : `on the ${column}`;
  return column === 'middle' ? `at the ${row}` : `at the ${row} ${column}`;
}

function describeFace({ box }: PictureFaces['faces'][number], index: number, size: PictureFaces['size']): string {
  const place = placeOf((box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2, size);
  const height = percent(box.y2 - box.y1, size.height);
  return `Face ${index + 1} is ${place} and takes ${height} of the height.`;
}

/**
 * What was read in a picture, as the text that questions are answered on. It is made of whole numbers and fixed words
 * alone, so the same picture is always the same text; the caller's name for it is quoted.
 */
export function describePicture(name: string | number, { size, faces }: PictureFaces): string {
  const count = faces.length === 0 ? 'no face' : faces.length === 1 ? '1 face' : `${faces.length} faces`;
  return [
    `Picture ${JSON.stringify(name)}, ${size.width} x ${size.height} pixels, shows ${count}.`,
    ...faces.slice(0, DESCRIBED).map((face, index) => describeFace(face, index, size)),
    ...(faces.length > DESCRIBED ? [`The other ${faces.length - DESCRIBED} faces are smaller.`] : []),
  ].join(' ');
}

/** What a caller calls an enrolled face. */
export interface Known {
  readonly reference: string;
  readonly label: string | null;
}

/** Who the faces are, the most similar first; caller's words are quoted. */
export const describeMatches = (matches: ReadonlyArray<readonly Known[]>): string[] =>
  matches.slice(0, DESCRIBED).map((known, index) => {
    const names = known.map(({ reference, label }) => JSON.stringify(label ?? reference));
    return names.length === 0
      ? `Face ${index + 1} is a stranger: it matches nobody in the collections.`
      : `Face ${index + 1} is known: it matches ${[...new Set(names)].join(' or ')} in the collections.`;
  });
