import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildGenerator, root, Workspace } from './testing/workspace.js';

/** Every file of a folder with its content. */
async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.sort().map(async (file) => [relative(folder, file), await readFile(file, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}

describe('what is generated', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    await buildGenerator();
    workspace = await Workspace.create();
    await workspace.generate(true);
  }, 120_000);
  afterAll(() => workspace.remove());

  it.each([
    ['contract/generated', 'packages/contract/src/generated'],
    ['client', 'packages/client/src/generated'],
  ])('%s is what is committed', async (made, committed) => {
    const [expected, actual] = [await contents(join(root, committed)), await contents(join(workspace.folder, made))];
    expect(Object.keys(actual)).toEqual(Object.keys(expected));
    const different = Object.keys(expected).filter((file) => actual[file] !== expected[file]);
    expect(different).toEqual([]);
  });

  it('is the error table that is committed', async () => {
    const read = (folder: string) => readFile(join(folder, 'ERRORS.md'), 'utf8');
    expect(await read(workspace.folder)).toBe(await read(join(root, 'packages/contract')));
  });

  it('is the same when it is generated again', async () => {
    const first = await contents(join(workspace.folder, 'contract/generated'));
    await workspace.generate();
    expect(await contents(join(workspace.folder, 'contract/generated'))).toEqual(first);
  }, 60_000);
});
