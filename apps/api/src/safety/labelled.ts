import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedRequest } from './asked.js';
import type { SafetyCategory } from './category.js';

/** A request and what a moderation team would say that it asks for. */
export interface LabelledRequest {
  readonly id: string;
  readonly kind: string;
  /** Requests about one state are in the same half, so that the measured half is new to whatever was fitted. */
  readonly half: 'fit' | 'measure';
  readonly label: { readonly [category in SafetyCategory]: boolean };
  readonly request: CheckedRequest;
}

export async function readLabelled(folder: string): Promise<LabelledRequest[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LabelledRequest),
  );
}
