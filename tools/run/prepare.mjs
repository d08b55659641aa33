import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout, hashOf, node24, sourceFiles, stampMatches, writeStamp } from './checkout.mjs';
import { withSetupLock } from './lock.mjs';

const isManifest = (path) => /\/(package\.json|package-lock\.json|\.npmrc)$/.test(path.replaceAll('\\', '/'));
const manifests = () =>
  hashOf([
    join(checkout, 'package.json'),
    join(checkout, 'package-lock.json'),
    ...['packages', 'apps', 'tools'].flatMap((room) => [...sourceFiles(join(checkout, room), isManifest)]),
  ]);
const sources = () =>
  hashOf([
    join(checkout, 'package-lock.json'),
    join(checkout, 'tsconfig.base.json'),
    ...['specs', 'packages', 'apps', 'tools'].flatMap((room) => [
      ...sourceFiles(join(checkout, room), (path) => !path.endsWith('.spec.ts') && !path.endsWith('.md')),
    ]),
  ]);

/** The tools inside node_modules run on the Node that the repository brings, whatever the machine has. */
export const environment = () => ({
  ...process.env,
  PATH: `${dirname(node24)}:${join(checkout, 'node_modules', '.bin')}:${process.env.PATH}`,
  ORT_DISABLE_TELEMETRY: '1',
  ONNXRUNTIME_NODE_INSTALL: 'skip',
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
});

export function run(title, command, args, extra = {}) {
  const started = Date.now();
  console.log(`▸ ${title}`);
  const result = spawnSync(command, args, { cwd: checkout, stdio: 'inherit', env: environment(), ...extra });
  if (result.error) throw result.error;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(result.status === 0 ? `✓ ${title} (${seconds} s)` : `✗ ${title} failed (${seconds} s)`);
  return result.status ?? 1;
}

export function mustRun(title, command, args, extra) {
  const status = run(title, command, args, extra);
  if (status !== 0) process.exit(status);
}

const turbo = (...args) => [
  join(checkout, 'node_modules', 'turbo', 'bin', 'turbo'),
  ...args,
  '--output-logs=errors-only',
];

/** Installs, generates and builds what is missing or out of date; a checkout that is up to date is not written to. */
export async function prepare({ scope }) {
  const installed = () => stampMatches('installed', manifests()) && existsSync(node24);
  const built = () => stampMatches(`built-${scope}`, sources());
  if (installed() && built()) return;
  await withSetupLock(() => {
    if (!installed()) {
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
      mustRun('installing dependencies (about a minute the first time)', npm, ['install', '--loglevel=error'], {
        env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
      });
      writeStamp('installed', manifests());
    }
    if (!built()) {
      const filter = scope === 'service' ? ['--filter=@assay/api...', '--filter=@assay/generate'] : [];
      mustRun('generating and building', node24, turbo('run', 'generate', 'build', ...filter));
      writeStamp(`built-${scope}`, sources());
    }
  });
}
