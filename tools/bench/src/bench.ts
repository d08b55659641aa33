/** One subject of measurement. A figure is a ratio of two things measured in turns within the same run. */
export interface Bench {
  readonly summary: string;
  readonly options: Readonly<Record<string, string>>;
  run(args: readonly string[]): Promise<void>;
}

export function printUsage(name: string, bench: Bench): void {
  console.log(`Usage: npm run bench -- ${name} [options]\n\n${bench.summary}\n`);
  for (const [option, meaning] of Object.entries(bench.options)) console.log(`  ${option.padEnd(24)} ${meaning}`);
}

/** The median of the runs: a shared machine makes single runs and means worthless. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
