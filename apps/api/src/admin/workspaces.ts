import type { Billing, Workspace, WorkspaceChanges } from '../access/workspaces/workspace.js';
import { type Invocation, type Option, UsageError } from './command.js';
import type { AdminCommand, Deployment } from './deployment.js';
import { dollars } from './money.js';
import { table } from './table.js';

const SETTINGS: Record<string, Option> = {
  billing: { meaning: 'prepaid or unlimited', value: 'how' },
  'zero-retention': { meaning: 'on: an upload is consumed by its first use', value: 'on|off' },
  'storage-location': { meaning: 'Where its data belongs; collections are offered at "default" only', value: 'name' },
  'items-limit': { meaning: 'Enrolled faces it may hold', value: 'count' },
};

function oneOf<T extends string>(option: string, written: string | undefined, allowed: readonly T[]): T | undefined {
  if (written === undefined) return undefined;
  const found = allowed.find((value) => value === written);
  if (!found) throw new UsageError(`--${option} takes ${allowed.join(' or ')}, not "${written}"`);
  return found;
}

function count(option: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (!/^\d{1,9}$/.test(written)) throw new UsageError(`--${option} takes a whole number, not "${written}"`);
  return Number(written);
}

function settings({ value }: Invocation<Deployment>): WorkspaceChanges {
  const retention = oneOf('zero-retention', value('zero-retention'), ['on', 'off']);
  const billing = oneOf<Billing>('billing', value('billing'), ['prepaid', 'unlimited']);
  const itemsLimit = count('items-limit', value('items-limit'));
  const storageLocation = value('storage-location');
  return {
    ...(billing && { billing }),
    ...(retention && { zeroRetention: retention === 'on' }),
    ...(storageLocation && { storageLocation }),
    ...(itemsLimit !== undefined && { itemsLimit }),
  };
}

const shown = (workspaces: readonly Workspace[]): string =>
  table(
    ['id', 'name', 'billing', 'balance', 'suspended', 'zero retention', 'storage', 'items limit'],
    workspaces.map((one) => [
      one.id,
      one.name,
      one.billing,
      dollars(one.balanceNano),
      one.suspended ? 'yes' : 'no',
      one.zeroRetention ? 'yes' : 'no',
      one.storageLocation,
      String(one.itemsLimit),
    ]),
  );

async function change(call: Invocation<Deployment>, changes: WorkspaceChanges): Promise<void> {
  const changed = await (await call.deployment()).workspaces.update(call.given('workspace'), changes);
  if (!changed) throw new UsageError(`There is no workspace ${call.given('workspace')}`);
  call.print(shown([changed]));
}

const WHICH: Record<string, Option> = { workspace: { meaning: 'Id of the workspace', value: 'id', required: true } };
const PAGE = 1_000;

export const workspaceCommands: AdminCommand[] = [
  {
    name: 'workspaces create',
    summary: 'Makes a workspace (prepaid unless said otherwise)',
    options: { name: { meaning: 'What people call it', value: 'name', required: true }, ...SETTINGS },
    run: async (call) => {
      const { workspaces } = await call.deployment();
      call.print(shown([await workspaces.create({ billing: 'prepaid', ...settings(call), name: call.given('name') })]));
    },
  },
  {
    name: 'workspaces list',
    summary: 'Shows every workspace',
    options: {},
    run: async (call) => {
      const { workspaces } = await call.deployment();
      const all: Workspace[] = [];
      for (let page = await workspaces.list({ offset: 0, limit: PAGE }); page.length > 0; ) {
        all.push(...page);
        page = await workspaces.list({ offset: all.length, limit: PAGE });
      }
      call.print(shown(all));
    },
  },
  {
    name: 'workspaces change',
    summary: 'Changes settings of a workspace',
    options: { ...WHICH, name: { meaning: 'A new name', value: 'name' }, ...SETTINGS },
    run: async (call) => {
      const name = call.value('name');
      await change(call, { ...settings(call), ...(name && { name }) });
    },
  },
  {
    name: 'workspaces suspend',
    summary: 'Refuses every call of a workspace from now on (403)',
    options: WHICH,
    run: (call) => change(call, { suspended: true }),
  },
  {
    name: 'workspaces resume',
    summary: 'Ends a suspension',
    options: WHICH,
    run: (call) => change(call, { suspended: false }),
  },
];
