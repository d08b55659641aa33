import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HELP = `Checks both specs: redocly lint, then the AsyncAPI project's own validator. A warning fails the check.

Usage: npm run specs [-- --no-asyncapi]

The validator is large (440 MB), so it is installed only here and only once, into tools/generate/asyncapi/node_modules.

  --no-asyncapi   leave it out
  --help          show this
`;

const root = join(import.meta.dirname, '..', '..');
const home = join(root, 'tools', 'generate', 'asyncapi');
const bin = (folder, name) => join(folder, 'node_modules', '.bin', name);
const node = join(root, 'node_modules', 'node', 'bin', 'node');
const say = (line) => process.stdout.write(`${line}\n`);

function run(command, args, { env = {}, ...options } = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env }, ...options });
  if (result.error) throw result.error;
  return { ok: result.status === 0, output: `${result.stdout ?? ''}${result.stderr ?? ''}` };
}

/** The output of a check, shown and refused when it failed or says anything that a clean check does not. */
function judge(what, { ok, output }, isClean) {
  const clean = ok && isClean(output);
  say(clean ? `${what}: no errors, no warnings` : `${what}:\n${output}`);
  return clean;
}

const QUIET_REDOCLY = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const redocly = (...args) =>
  run(node, [bin(root, 'redocly'), ...args, '--config', join(root, 'specs', 'redocly.yaml')], { env: QUIET_REDOCLY });

function lint() {
  return judge('redocly lint', redocly('lint', 'rest@v1', 'stream@v1'), (output) => !/warning/i.test(output));
}

/** Installs the validator when what is asked for is not what is there; a second time needs no network. */
function installValidator() {
  const stamp = join(home, 'node_modules', '.assay-stamp');
  const asked = createHash('sha256')
    .update(readFileSync(join(home, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === asked) return;
  say('Installing the AsyncAPI validator, once …');
  const { ok, output } = run('npm', ['install', '--no-audit', '--no-fund', '--workspaces=false'], { cwd: home });
  if (!ok) throw new Error(`The AsyncAPI validator could not be installed.\n${output}`);
  writeFileSync(stamp, asked);
}

function validateStream() {
  installValidator();
  const folder = mkdtempSync(join(tmpdir(), 'assay-asyncapi-'));
  try {
    const bundle = join(folder, 'asyncapi.json');
    const bundled = redocly('bundle', 'stream@v1', '--output', bundle);
    if (!bundled.ok) return judge('redocly bundle', bundled, () => false);
    mkdirSync(join(folder, 'home'));
    // CI=true switches its analytics off; its files go into a folder that is thrown away.
    const env = {
      CI: 'true',
      HOME: join(folder, 'home'),
      SUPPRESS_NO_CONFIG_WARNING: '1',
      SUPPRESS_STRICTNESS_CHECK: '1',
    };
    const options = ['validate', bundle, '--fail-severity', 'info'];
    const result = run(node, [bin(home, 'asyncapi'), ...options], { env, cwd: folder });
    return judge(
      'asyncapi validate',
      result,
      (output) => /don't have governance issues/.test(output) && !/warning/i.test(output),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
} else {
  const linted = lint();
  const valid = process.argv.includes('--no-asyncapi') || validateStream();
  process.exitCode = linted && valid ? 0 : 1;
}
