import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyBundle } from '../testing/tiny-bundle.js';
import { MaxTokensExceededError } from './errors.js';
import { Models } from './models.js';

const LIVE = { priority: 'live' } as const;

describe('the mean state of a text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'embed-'));
  let models: Models;
  beforeAll(async () => {
    writeTinyBundle(folder);
    models = await Models.open({ roots: [folder], threads: 1 });
  });
  afterAll(async () => {
    await models.close();
    rmSync(folder, { recursive: true });
  });

  const embed = (text: string, signal?: AbortSignal) => models.list()[0]!.embed!(text, { ...LIVE, signal });

  it('is the same to the bit, whatever is read beside it, and another for another text', async () => {
    const alone = await embed('the quick brown fox');
    const [again, other] = await Promise.all([embed('the quick brown fox'), embed('a quick brown fox')]);
    expect(alone).toHaveLength(64);
    expect(again).toEqual(alone);
    expect(other).not.toEqual(alone);
  });

  it('is the mean over all blocks of a long text, and of an empty one too', async () => {
    expect((await embed('word '.repeat(2000))).every(Number.isFinite)).toBe(true);
    expect((await embed('')).every(Number.isFinite)).toBe(true);
    expect(models.memory.bytes).toBe(0);
  });

  it('keeps to the limit of a request, and stops for a caller that has left', async () => {
    await expect(embed('word '.repeat(70_000))).rejects.toThrow(MaxTokensExceededError);
    await expect(embed('text', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
