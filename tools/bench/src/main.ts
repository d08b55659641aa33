import { type Bench, printUsage } from './bench.js';
import { benches } from './benches.js';

const [name, ...args] = process.argv.slice(2);
const load = name === undefined ? undefined : benches[name];

if (name === undefined || name === '--help') {
  console.log('Usage: npm run bench -- <name> [options]\n\nRatios measured side by side in one run:\n');
  for (const [each, open] of Object.entries(benches)) console.log(`  ${each.padEnd(10)} ${(await open()).summary}`);
} else if (load === undefined) {
  console.error(`There is no bench "${name}". Known: ${Object.keys(benches).join(', ')}`);
  process.exitCode = 2;
} else {
  const bench: Bench = await load();
  if (args.includes('--help')) printUsage(name, bench);
  else await bench.run(args);
}
