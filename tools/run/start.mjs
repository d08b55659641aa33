import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkout, node24 } from './checkout.mjs';
import { fetchMissingFaceNetworks } from './faces.mjs';
import { environment, prepare } from './prepare.mjs';

await prepare({ scope: 'service' });
fetchMissingFaceNetworks();

const service = spawn(
  node24,
  ['--enable-source-maps', join(checkout, 'apps/api/dist/main.js'), ...process.argv.slice(2)],
  {
    cwd: checkout,
    stdio: 'inherit',
    env: environment(),
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
service.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)));
