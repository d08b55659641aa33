import type { Progress } from './fetch/package.js';

const MEGABYTE = 1_000_000;

/** One line that grows where someone watches, and one line per package where nobody does. */
export function progressLine(out: NodeJS.WriteStream): (progress: Progress) => void {
  const announced = new Set<string>();
  return ({ spec, received, total }) => {
    const done = `${(received / MEGABYTE).toFixed(1)} of ${(total / MEGABYTE).toFixed(1)} MB`;
    if (out.isTTY) out.write(`\r▸ fetching face networks from ${spec}: ${done}${received >= total ? '\n' : ''}`);
    else if (!announced.has(spec)) {
      announced.add(spec);
      out.write(`▸ fetching face networks from ${spec}: ${(total / MEGABYTE).toFixed(1)} MB\n`);
    }
  };
}
