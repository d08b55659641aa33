import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout, hashOf, node24, sourceFiles } from './checkout.mjs';
import { environment, mustRun, prepare, run } from './prepare.mjs';

const only = process.argv.slice(2);
const bin = (...path) => join(checkout, 'node_modules', ...path);
const generated = () =>
  hashOf(
    ['packages/contract', 'packages/client'].flatMap((room) => [
      ...sourceFiles(join(checkout, room), (path) => /\/generated\/|\.md$/.test(path)),
    ]),
  );

const before = generated();
await prepare({ scope: 'everything' });

if (only.length === 0) {
  if (generated() !== before) {
    console.error('✗ regenerating changed committed files: commit the output of `npm run generate`');
    process.exit(1);
  }
  mustRun('lint and format', bin('.bin', 'biome'), ['check', '--error-on-warnings', '.']);
  mustRun('types, tests included', node24, [bin('turbo', 'bin', 'turbo'), 'run', 'types', '--output-logs=errors-only']);
  mustRun('specs', node24, [join(checkout, 'tools/run/specs.mjs')]);
}

const report = join(mkdtempSync(join(tmpdir(), 'assay-jest-')), 'report.json');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [...flags, bin('jest', 'bin', 'jest.js'), '--json', `--outputFile=${report}`, '--maxWorkers=2', ...only];
const status = run('jest', node24, jest, {
  stdio: ['inherit', 'ignore', 'inherit'],
  env: { ...environment(), NODE_OPTIONS: '' },
});
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
rmSync(join(report, '..'), { recursive: true });
console.log(
  `${numPassedTests} passed, ${numFailedTests} failed${numPendingTests ? `, ${numPendingTests} skipped` : ''}`,
);
process.exit(status);
