import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** This file lies four folders below the checkout, as source and as build output. */
export const checkout = resolve(import.meta.dirname, '../../../..');

const writable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** The checkout's own folder, unless it cannot be written: then the user's data folder. */
export function defaultDataDir(env: NodeJS.ProcessEnv): string {
  const inCheckout = join(checkout, '.assay');
  if (existsSync(inCheckout) ? writable(inCheckout) : writable(checkout)) return inCheckout;
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'assay');
}

export const defaultModelsDir = join(checkout, 'packages', 'models');
