import { createHash } from 'node:crypto';
import pacote from 'pacote';
import { Parser } from 'tar';
import type { Package } from '../sources.js';

export interface Progress {
  readonly spec: string;
  readonly received: number;
  readonly total: number;
}

/** npm tells programs that it runs which registry is configured. */
const registry = () => process.env['npm_config_registry'];

/**
 * Streams a package from the registry and keeps only the files asked for. Nothing is installed and no code of it runs; a tarball that is
 * not the pinned one fails.
 */
export async function filesOfPackage(
  { spec, integrity, bytes }: Package,
  paths: readonly string[],
  onProgress: (progress: Progress) => void,
): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const from = registry();
  await pacote.tarball.stream(
    spec,
    async (tarball) => {
      let received = 0;
      const unpacking = new Parser({
        onReadEntry: (entry) => {
          const path = entry.path.replace(/^[^/]*\//, '');
          if (!paths.includes(path)) return void entry.resume();
          const chunks: Buffer[] = [];
          entry.on('data', (chunk: Buffer) => chunks.push(chunk));
          entry.on('end', () => files.set(path, Buffer.concat(chunks)));
        },
      });
      const unpacked = new Promise<void>((done, fail) => {
        unpacking.on('end', done);
        unpacking.on('error', fail);
      });
      for await (const chunk of tarball as AsyncIterable<Buffer>) {
        received += chunk.length;
        onProgress({ spec, received, total: bytes });
        unpacking.write(chunk);
      }
      unpacking.end();
      await unpacked;
    },
    { integrity, ...(from && { registry: from }) },
  );
  return files;
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
