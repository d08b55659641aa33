import { randomUUID } from 'node:crypto';
import { type Option, UsageError } from './command.js';
import type { AdminCommand } from './deployment.js';
import { dollars, nanoDollars } from './money.js';
import { table } from './table.js';

const OWNER: Record<string, Option> = { workspace: { meaning: 'Id of the workspace', value: 'id', required: true } };
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH_MS = 30 * 24 * 3_600_000;

function day(option: string, written: string | undefined, otherwise: Date): string {
  if (written === undefined) return otherwise.toISOString().slice(0, 10);
  if (!DAY.test(written)) throw new UsageError(`--${option} takes a day such as 2026-11-20, not "${written}"`);
  return written;
}

export const creditCommands: AdminCommand[] = [
  {
    name: 'credit add',
    summary: 'Adds prepaid credit; a negative amount takes some back, never below zero',
    options: {
      ...OWNER,
      usd: { meaning: 'US dollars, such as 25 or -3.50', value: 'amount', required: true },
      reference: { meaning: 'Your own id of this payment: the same one is booked once', value: 'id' },
    },
    run: async ({ given, value, print, deployment }) => {
      const amountNano = nanoDollars(given('usd'));
      const { credit, workspaces } = await deployment();
      const workspaceId = given('workspace');
      if (!(await workspaces.find(workspaceId))) throw new UsageError(`There is no workspace ${workspaceId}`);
      const kind = amountNano < 0n ? 'adjustment' : 'top_up';
      const outcome = await credit.grant({
        workspaceId,
        kind,
        amountNano,
        reference: value('reference') ?? `admin_${randomUUID()}`,
      });
      if (outcome === 'insufficient_credit')
        throw new UsageError('The balance is smaller than that; nothing was changed');
      const after = await workspaces.find(workspaceId);
      print(`${outcome === 'granted' ? 'booked' : 'booked before'}; balance ${dollars(after?.balanceNano ?? 0n)}`);
    },
  },
  {
    name: 'usage',
    summary: 'Shows what a workspace used, by day, key and model',
    options: {
      ...OWNER,
      from: { meaning: 'First day, UTC; 30 days ago when left out', value: 'day' },
      to: { meaning: 'Last day, UTC; today when left out', value: 'day' },
    },
    run: async ({ given, value, print, deployment }) => {
      const from = day('from', value('from'), new Date(Date.now() - MONTH_MS));
      const to = day('to', value('to'), new Date());
      const rows = await (await deployment()).credit.usage(given('workspace'), from, to);
      const total = rows.reduce((sum, row) => sum + row.amountNano, 0n);
      const cells = rows.map((row) => [
        row.day,
        row.keyId ?? '',
        row.model ?? '',
        String(row.calls),
        String(row.tokens),
        dollars(row.amountNano),
      ]);
      print(
        table(
          ['day', 'key', 'model', 'calls', 'tokens', 'amount'],
          [...cells, ['', '', '', '', 'total', dollars(total)]],
        ),
      );
    },
  },
  {
    name: 'ledger verify',
    summary: 'Proves that the ledger adds up with itself and with every balance',
    options: {},
    run: async ({ print, deployment }) => {
      const faults = await (await deployment()).credit.verify();
      if (faults.length === 0) return print('The ledger adds up.');
      const rows = faults.map(({ workspaceId, entryId, problem }) => [workspaceId, entryId ?? '', problem]);
      throw new UsageError(`The ledger does not add up:\n${table(['workspace', 'entry', 'problem'], rows)}`);
    },
  },
];
