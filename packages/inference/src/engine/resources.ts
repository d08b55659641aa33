import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** What the control group allows, or else what the machine has. `read` gives a file's text, or undefined. */
export function processors(read: (path: string) => string | undefined = readText): number {
  const [quota, period] = (read('/sys/fs/cgroup/cpu.max') ?? '').trim().split(' ').map(Number);
  const legacyQuota = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_quota_us') ?? Number.NaN);
  const legacyPeriod = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_period_us') ?? Number.NaN);
  const allowed = [quota! / period!, legacyQuota / legacyPeriod].filter((share) => Number.isFinite(share) && share > 0);
  return Math.max(1, Math.min(availableParallelism(), ...allowed.map(Math.floor)));
}

export function memoryBytes(read: (path: string) => string | undefined = readText): number {
  const limits = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']
    .map((path) => Number(read(path)?.trim() ?? Number.NaN))
    .filter((limit) => Number.isFinite(limit) && limit > 0);
  return Math.min(totalmem(), ...limits);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
