import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureFirstWorkspace } from '../../../access/first-workspace.js';
import { issueKey } from '../../../access/keys/issue-key.js';
import { PostgresKeyStore } from '../../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../../access/workspaces/postgres-workspace-store.js';
import { PostgresCreditStore } from '../../../metering/credit/postgres-credit-store.js';
import { openDatabase } from '../../database/open-database.js';
import { isDatabaseOutage } from '../../database/outage.js';

/**
 * The smallest service on the storage floor: it starts as the real one does, makes the first workspace, and then charges for ever. It tells
 * of a charge only when it is committed, so that whoever kills it knows what must be there afterwards.
 */
export type ServiceEvent =
  | { event: 'log'; message: string }
  | { event: 'first'; secret: string }
  | { event: 'ready' }
  | { event: 'charged'; reference: string }
  | { event: 'refused' };

const tell = (event: ServiceEvent) => writeSync(1, `${JSON.stringify(event)}\n`);
const log = {
  info: (message: string) => tell({ event: 'log', message }),
  warn: (message: string) => tell({ event: 'log', message }),
};

const { values } = parseArgs({ options: { data: { type: 'string' }, name: { type: 'string' } } });
const database = await openDatabase({ dataFolder: values.data ?? '', poolSize: 3, log });
const first = await ensureFirstWorkspace(database.source);
if (first) tell({ event: 'first', secret: first.secret });

const [workspace] = await new PostgresWorkspaceStore(database.source).list({ offset: 0, limit: 1 });
const workspaceId = workspace?.id ?? '';
const { key } = await issueKey(new PostgresKeyStore(database.source), { workspaceId, name: 'service', scope: 'full' });
const credit = new PostgresCreditStore(database.source);
tell({ event: 'ready' });

let stopping = false;
process.on('SIGTERM', () => {
  stopping = true;
});

for (let step = 0; !stopping; step += 1) {
  const reference = `${values.name}/${step}`;
  try {
    await credit.charge({
      workspaceId,
      keyId: key.id,
      model: 'm',
      kind: 'decide',
      tokens: 1,
      amountNano: 42n,
      reference,
    });
    tell({ event: 'charged', reference });
  } catch (error) {
    if (!isDatabaseOutage(error)) throw error;
    tell({ event: 'refused' });
    await sleep(20);
  }
}
await database.close();
