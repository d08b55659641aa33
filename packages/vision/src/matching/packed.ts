import { TEMPLATE_NUMBERS } from '../faces/template.ts';

/** Bytes of a template as it is kept. */
export const PACKED_BYTES = TEMPLATE_NUMBERS;

const LARGEST = 127;

/** A template as it is kept: its numbers as signed bytes, the largest of them 127. Its length carries no meaning, so no scale is kept. */
export function packTemplate(template: Float32Array): Int8Array {
  const largest = template.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(template, (value) => (largest === 0 ? 0 : Math.round((value / largest) * LARGEST)));
}

export function lengthOf(packed: Int8Array): number {
  let sum = 0;
  for (const value of packed) sum += value * value;
  return Math.sqrt(sum);
}
