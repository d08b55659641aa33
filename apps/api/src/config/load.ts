import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as z from 'zod';
import { nearest } from './nearest.js';
import { defaultDataDir, defaultModelsDir } from './places.js';
import { isSecret, type SettingName, settingNames, settings } from './settings.js';

type Read = z.output<typeof settings>;

/** Settings with every default worked out. */
export type Config = Read & Required<Pick<Read, 'ASSAY_DATA_DIR' | 'ASSAY_BLOBS' | 'ASSAY_MODELS_DIR'>>;

/** Nest's token for the loaded configuration. */
export const CONFIG = Symbol('config');

/** Names each wrong setting and what to do; never quotes the value of one. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Names that callers and tools of ours read; a shell that has them set for a call can start a service too. */
const NAMES_OF_CALLERS = ['ASSAY_KEY', 'ASSAY_API_KEY', 'ASSAY_URL', 'ASSAY_MODEL', 'ASSAY_BATCH', 'ASSAY_TRAIN_VENV'];

const FILE = '_FILE';
const secretFileNames = settingNames.filter(isSecret).map((name) => `${name}${FILE}`);

function unknownName(name: string): string {
  if (name.endsWith(FILE) && settingNames.includes(name.slice(0, -FILE.length) as SettingName))
    return `${name}: only secrets can be given by file; set ${name.slice(0, -FILE.length)} itself`;
  const meant = nearest(name, [...settingNames, ...secretFileNames]);
  return `${name} is not a setting${meant ? `; did you mean ${meant}?` : ' (`admin config` lists them all)'}`;
}

function secretFromFile(env: NodeJS.ProcessEnv, name: SettingName, problems: string[]): string | undefined {
  const path = env[`${name}${FILE}`];
  if (!path) return undefined;
  if (env[name]) problems.push(`${name} and ${name}${FILE} are both set; keep one`);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    problems.push(`${name}${FILE}: the file cannot be read`);
    return undefined;
  }
}

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const given: Record<string, string> = {};
  for (const name of Object.keys(env).filter((key) => key.startsWith('ASSAY_'))) {
    if (secretFileNames.includes(name) || NAMES_OF_CALLERS.includes(name)) continue;
    if (!settingNames.includes(name as SettingName)) problems.push(unknownName(name));
    else if (env[name]) given[name] = env[name];
  }
  for (const name of settingNames.filter(isSecret)) {
    const value = secretFromFile(env, name, problems);
    if (value) given[name] = value;
  }
  const read = settings.safeParse(given);
  for (const issue of read.error?.issues ?? []) problems.push(`${issue.path.join('.')}: ${issue.message}`);
  if (!read.success || problems.length > 0) throw new ConfigError(problems);
  return complete(read.data, env);
}

function complete(read: Read, env: NodeJS.ProcessEnv): Config {
  const dataDir = resolve(read.ASSAY_DATA_DIR ?? defaultDataDir(env));
  const blobs = read.ASSAY_BLOBS ?? join(dataDir, 'blobs');
  return {
    ...read,
    ASSAY_DATA_DIR: dataDir,
    ASSAY_BLOBS: blobs.includes('://') ? blobs : resolve(blobs),
    ASSAY_MODELS_DIR: resolve(read.ASSAY_MODELS_DIR ?? defaultModelsDir),
  };
}
