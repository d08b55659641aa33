import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentation } from './document.js';
import { ConfigError, loadConfig } from './load.js';
import { notes, settingNames, settings } from './settings.js';

const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

test('works out every default from an empty environment', () => {
  const config = loadConfig({ HOME: '/home/someone', PATH: '/bin' });
  expect(config).toMatchObject({ ASSAY_HOST: '127.0.0.1', ASSAY_PORT: 8080, ASSAY_LOG_LEVEL: 'info' });
  expect(config.ASSAY_BLOBS).toBe(join(config.ASSAY_DATA_DIR, 'blobs'));
});

test('keeps an s3 address as it is and makes a folder absolute', () => {
  expect(loadConfig({ ASSAY_BLOBS: 's3://bucket/a?region=eu' }).ASSAY_BLOBS).toBe('s3://bucket/a?region=eu');
  expect(loadConfig({ ASSAY_BLOBS: 'blobs' }).ASSAY_BLOBS).toBe(join(process.cwd(), 'blobs'));
});

test('refuses an unknown name and says which one was meant', () => {
  expect(problemsOf({ ASSAY_PROT: '1' })).toEqual(['ASSAY_PROT is not a setting; did you mean ASSAY_PORT?']);
  expect(problemsOf({ ASSAY_SOMETHING_ELSE_ENTIRELY: '1' })[0]).toContain('`admin config` lists them all');
});

test('lists every problem at once and quotes no value', () => {
  const problems = problemsOf({
    ASSAY_PORT: '70000',
    ASSAY_LOG_LEVEL: 'loud',
    ASSAY_DATABASE_URL: 'mysql://user:hunter2@host/db',
    ASSAY_BODY_TIMEOUT_SECONDS: '1e3',
  });
  expect(problems).toHaveLength(4);
  expect(problems.join('\n')).not.toContain('hunter2');
});

test.each(['0', '1', '65535'])('takes port %s', (port) => {
  expect(loadConfig({ ASSAY_PORT: port }).ASSAY_PORT).toBe(Number(port));
});

test('reads a secret from a file, trimmed, and only a secret', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-config-')), 'database');
  writeFileSync(file, 'postgres://host/db\n');
  expect(loadConfig({ ASSAY_DATABASE_URL_FILE: file }).ASSAY_DATABASE_URL).toBe('postgres://host/db');
  expect(problemsOf({ ASSAY_DATABASE_URL_FILE: file, ASSAY_DATABASE_URL: 'postgres://b' })[0]).toContain('keep one');
  expect(problemsOf({ ASSAY_DATABASE_URL_FILE: `${file}.missing` })[0]).toContain('cannot be read');
  expect(problemsOf({ ASSAY_PORT_FILE: file })[0]).toContain('only secrets');
});

test('a key that is set for a call does not stop a start', () => {
  expect(problemsOf({ ASSAY_KEY: 'asy_live_x', ASSAY_API_KEY: 'asy_live_x' })).toEqual([]);
});

test('an empty value counts as not set', () => {
  expect(loadConfig({ ASSAY_PORT: '' }).ASSAY_PORT).toBe(8080);
});

test('every setting is documented with its meaning and default', () => {
  const manual = documentation();
  for (const name of settingNames) {
    expect(notes.get(settings.shape[name])?.meaning).toMatch(/^[A-Z].*\.$/s);
    expect(manual).toContain(`## ${name}\n`);
  }
  expect(manual).toContain('- Default: `8080`');
  expect(manual).toContain('- Values: `silent`, `error`');
  expect(manual).not.toContain('undefined');
});
