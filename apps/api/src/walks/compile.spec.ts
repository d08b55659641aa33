import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jest } from '@jest/globals';

/** Three runs of the compiler, on a machine that may be busy. */
jest.setTimeout(120_000);

const api = resolve(import.meta.dirname, '../..');
const contract = resolve(api, '../../packages/contract/src');
const tsc = resolve(api, '../../node_modules/typescript/bin/tsc');

/** Compiles the model list's controller against a copy of the contract, and returns what the compiler says. */
function compiledWith(change: (validators: string) => string): string {
  // A folder that git ignores, below the checkout's node_modules.
  mkdirSync(join(api, 'coverage'), { recursive: true });
  const folder = mkdtempSync(join(api, 'coverage', 'compile-'));
  try {
    cpSync(contract, join(folder, 'contract'), { recursive: true, filter: (path) => !path.endsWith('.spec.ts') });
    const validators = join(folder, 'contract/generated/zod.gen.ts');
    const before = readFileSync(validators, 'utf8');
    const after = change(before);
    writeFileSync(validators, after);
    const options = {
      extends: '../../tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '../../../..', paths: { '@assay/contract': ['./contract/index.ts'] } },
      files: ['../../src/models/models.controller.ts'],
      include: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const replaced = (from: RegExp, to: string) => (text: string) => {
  if (!from.test(text)) throw new Error(`the generated validators have no ${from}`);
  return text.replace(from, to);
};

test('the contract as it is compiles', () => {
  expect(compiledWith((same) => same)).toBe('');
});

test('a field that is taken out of a response breaks the compile where it was sent', () => {
  const out = compiledWith(replaced(/(zModelList = z\.strictObject\(\{[^}]*?),?\s*next_offset: \w+/, '$1'));
  expect(out).toMatch(/models\.controller\.ts.*error TS/);
});

test('a field that a response newly requires breaks the compile where it is missing', () => {
  const out = compiledWith(replaced(/zModelList = z\.strictObject\(\{/, '$& total: z.number(),'));
  expect(out).toMatch(/models\.controller\.ts.*error TS/);
});
