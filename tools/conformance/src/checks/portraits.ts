import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, '../../../../packages/vision/fixtures');
const picture = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(fixtures, name)));

/** Two people, each in one portrait. */
export const HOPPER = picture('grace-hopper.jpg');
export const COLLINS = picture('eileen-collins.jpg');
/** No person's face. */
export const CAT = picture('chelsea-the-cat.jpg');
