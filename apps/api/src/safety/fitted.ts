import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAFETY_CATEGORIES, type SafetyCategory, type SafetyScores } from './category.js';
import { STATEMENTS } from './statements.js';

/** Weights over the statements' logits, and the probability above which a request counts as asking for the category. */
export interface FittedCategory {
  readonly weights: readonly number[];
  readonly bias: number;
  readonly threshold: number;
}

/** What the safety check of one bundle was fitted to. It lies in the bundle's folder as `safety.json`. */
export type FittedSafety = {
  readonly bundle: string;
  readonly statements: readonly string[];
} & { readonly [category in SafetyCategory]: FittedCategory };

export const SAFETY_FILE = 'safety.json';

export class SafetyFitError extends Error {
  constructor(bundle: string, reason: string) {
    super(`${SAFETY_FILE} of ${bundle}: ${reason}`);
    this.name = 'SafetyFitError';
  }
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

export function probability({ weights, bias }: FittedCategory, features: readonly number[]): number {
  return sigmoid(weights.reduce((sum, weight, index) => sum + weight * features[index]!, bias));
}

/** Of a request in several parts, the part that asks for it the most. */
export function fittedScores(fitted: FittedSafety, parts: readonly (readonly number[])[]): SafetyScores {
  const most = (category: SafetyCategory) => Math.max(0, ...parts.map((part) => probability(fitted[category], part)));
  return { harm: most('harm'), self_harm: most('self_harm') };
}

export const thresholds = (fitted: FittedSafety): SafetyScores => ({
  harm: fitted.harm.threshold,
  self_harm: fitted.self_harm.threshold,
});

/** Undefined when the bundle brings none. */
export async function readSafetyFile(bundleFolder: string): Promise<FittedSafety | undefined> {
  const text = await readFile(join(bundleFolder, SAFETY_FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as FittedSafety);
}

/** Throws when it cannot be what the statements of this version were fitted to. */
export function checked(fitted: FittedSafety): FittedSafety {
  const { bundle } = fitted;
  if (JSON.stringify(fitted.statements) !== JSON.stringify(STATEMENTS))
    throw new SafetyFitError(bundle, 'it was fitted to other statements');
  for (const category of SAFETY_CATEGORIES) {
    const { weights, bias, threshold } = fitted[category] ?? {};
    const finite = [...(weights ?? []), bias, threshold].every(Number.isFinite);
    if (weights?.length !== STATEMENTS.length || !finite) throw new SafetyFitError(bundle, `${category} is malformed`);
  }
  return fitted;
}

/** For a bundle without a fit: what the statements that name the category say by themselves, and never a refusal. */
export function unfitted(bundle: string): FittedSafety {
  const only = (...indices: number[]): FittedCategory => ({
    weights: STATEMENTS.map((_, index) => (indices.includes(index) ? 1 / indices.length : 0)),
    bias: 0,
    threshold: 1,
  });
  return { bundle, statements: STATEMENTS, harm: only(0, 1), self_harm: only(4, 5) };
}
