import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAFETY_CATEGORIES, type SafetyCategory, type SafetyScores } from './category.js';
import { READING } from './reading.js';

/** Weights over a reading, and the probability above which a request counts as asking for the category. */
export interface FittedCategory {
  readonly weights: readonly number[];
  readonly bias: number;
  readonly threshold: number;
}

/** What the safety check of one bundle was fitted to. It lies in the bundle's folder as `safety.json`. */
export type FittedSafety = {
  readonly bundle: string;
  readonly reading: number;
} & { readonly [category in SafetyCategory]: FittedCategory };

export const SAFETY_FILE = 'safety.json';

export class SafetyFitError extends Error {
  constructor(bundle: string, reason: string) {
    super(`${SAFETY_FILE} of ${bundle}: ${reason}`);
    this.name = 'SafetyFitError';
  }
}

export function probability({ weights, bias }: FittedCategory, reading: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * reading[index]!, bias);
  return 1 / (1 + Math.exp(-sum));
}

/** Of a request in several parts, the part that asks for it the most. */
export function fittedScores(fitted: FittedSafety, parts: readonly (readonly number[])[]): SafetyScores {
  const most = (category: SafetyCategory) => Math.max(0, ...parts.map((part) => probability(fitted[category], part)));
  return { harm: most('harm'), self_harm: most('self_harm') };
}

/** Throws when it cannot be a fit of readings as they are made now. */
export function checked(fitted: FittedSafety): FittedSafety {
  const { bundle, reading } = fitted;
  if (reading !== READING) throw new SafetyFitError(bundle, `it was fitted to reading ${reading}, not ${READING}`);
  for (const category of SAFETY_CATEGORIES) {
    const { weights = [], bias, threshold } = fitted[category] ?? {};
    const finite = [...weights, bias, threshold].every(Number.isFinite);
    if (weights.length === 0 || !finite) throw new SafetyFitError(bundle, `${category} is malformed`);
  }
  return fitted;
}

/** The fits of all bundles under a folder, by the bundle that each was fitted to; not every bundle brings one. */
export async function readFittedSafeties(modelsFolder: string): Promise<ReadonlyMap<string, FittedSafety>> {
  const fits = new Map<string, FittedSafety>();
  for (const name of await readdir(modelsFolder).catch((): string[] => [])) {
    const text = await readFile(join(modelsFolder, name, SAFETY_FILE), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const fitted = checked(JSON.parse(text) as FittedSafety);
    fits.set(fitted.bundle, fitted);
  }
  return fits;
}
