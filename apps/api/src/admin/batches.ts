import { waiting } from '../batches/batch.js';
import type { AdminCommand } from './deployment.js';
import { table } from './table.js';

const HEADINGS = [
  'id',
  'workspace',
  'key',
  'state',
  'requests',
  'waiting',
  'running',
  'done',
  'failed',
  'created',
  'cut-off',
];

export const batchCommands: AdminCommand[] = [
  {
    name: 'batches',
    summary: 'Shows the batches of all keys that have not ended, oldest first',
    options: {},
    run: async ({ print, deployment }) => {
      const active = await (await deployment()).batches.active();
      const rows = active.map((batch) => [
        batch.id,
        batch.workspaceId,
        batch.keyId,
        batch.ending ? `${batch.state}, ends as ${batch.ending}` : batch.state,
        String(batch.requests),
        String(waiting(batch)),
        String(batch.inProgress),
        String(batch.completed),
        String(batch.failed),
        batch.createdAt.toISOString(),
        batch.expiresAt?.toISOString() ?? '',
      ]);
      print(rows.length > 0 ? table(HEADINGS, rows) : 'No batch is a draft, queued or running.');
    },
  },
];
