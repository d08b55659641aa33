import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout } from './checkout.mjs';

const folder = join(checkout, '.assay-setup.lock');

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const owner = () => {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Two starts in one checkout must not install or build over each other; a lock whose owner died is taken over. */
export async function withSetupLock(work) {
  let unowned = 0;
  for (let waited = false; ; ) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const pid = owner();
    unowned = pid === undefined ? unowned + 1 : 0;
    if ((pid !== undefined && !alive(pid)) || unowned > 10) {
      rmSync(folder, { recursive: true, force: true });
      continue;
    }
    if (!waited) console.log('· another start is preparing this checkout; waiting for it');
    waited = true;
    await pause(250);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
