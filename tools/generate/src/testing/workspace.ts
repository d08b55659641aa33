import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';

const run = promisify(execFile);
/** The repository. */
export const root = join(import.meta.dirname, '..', '..', '..', '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const node = join(root, 'node_modules', 'node', 'bin', 'node');

export type Yaml = Record<string, unknown>;

/** The generator as it is run by `npm run generate`. */
export async function buildGenerator(): Promise<void> {
  await run(node, [bin('tsc'), '-p', join(root, 'tools/generate/tsconfig.json')]);
}

/** A copy of the specs and of the contract, to be changed, generated again and compiled with the service. */
export class Workspace {
  private constructor(readonly folder: string) {}

  static async create(): Promise<Workspace> {
    const folder = await mkdtemp(join(tmpdir(), 'assay-generate-'));
    await cp(join(root, 'specs'), join(folder, 'specs'), { recursive: true });
    const sources = join(root, 'packages/contract/src');
    await cp(sources, join(folder, 'contract'), { recursive: true, filter: (file) => !file.endsWith('.spec.ts') });
    await rm(join(folder, 'contract', 'conformity'), { recursive: true, force: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new Workspace(folder);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  async edit(file: string, change: (content: Yaml) => void): Promise<void> {
    const path = join(this.folder, 'specs', file);
    const content: Yaml = parse(await readFile(path, 'utf8'));
    change(content);
    await writeFile(path, stringify(content, { aliasDuplicateObjects: false }));
  }

  /** Generates into the copy, the client too when asked. */
  async generate(client = false): Promise<void> {
    const at = (name: string) => join(this.folder, name);
    const targets = ['--contract', at('contract/generated'), '--client', at('client'), '--errors', at('ERRORS.md')];
    const options = ['--specs', at('specs'), ...targets, ...(client ? [] : ['--no-client'])];
    await run(node, [join(root, 'tools/generate/dist/main.js'), ...options]);
  }

  /** Compiles sources of the service against the copy; what the compiler says, or nothing. */
  async compile(sources: readonly string[]): Promise<string> {
    const source = (name: string) => join(root, 'packages', name, 'src/index.ts');
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: true,
        allowImportingTsExtensions: true,
        typeRoots: [join(root, 'node_modules/@types')],
        paths: {
          '@assay/contract': [join(this.folder, 'contract/index.ts')],
          '@assay/inference': [source('inference')],
          '@assay/vision': [source('vision')],
        },
      },
      files: sources.map((file) => join(root, file)),
    };
    await writeFile(join(this.folder, 'tsconfig.json'), JSON.stringify(config));
    try {
      await run(node, [bin('tsc'), '-p', this.folder], { maxBuffer: 1 << 26 });
      return '';
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout ?? error);
    }
  }
}
