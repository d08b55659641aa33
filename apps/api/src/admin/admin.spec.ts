import { FakeKeyStore } from '../access/keys/key-store.fake.js';
import { FakeWorkspaceStore } from '../access/workspaces/workspace-store.fake.js';
import type { BatchRecord } from '../batches/batch.js';
import { FakeCreditStore } from '../metering/credit/credit-store.fake.js';
import { batchCommands } from './batches.js';
import { collectionCommands } from './collections.js';
import { carryOut } from './command.js';
import { creditCommands } from './credit.js';
import type { AdminCommand } from './deployment.js';
import { keyCommands } from './keys.js';
import { dollars, nanoDollars } from './money.js';
import { workspaceCommands } from './workspaces.js';

test.each([
  ['25', 25_000_000_000n, '$25.00'],
  ['12.50', 12_500_000_000n, '$12.50'],
  ['0.000000042', 42n, '$0.000000042'],
  ['-3.5', -3_500_000_000n, '-$3.50'],
])('%s US dollars are %s nano-dollars and read back as %s', (written, nano, read) => {
  expect(nanoDollars(written)).toBe(nano);
  expect(dollars(nano)).toBe(read);
});

test.each(['', '1,5', '1e3', '$4', '1.0000000001', '12345678901'])('"%s" is not an amount', (written) => {
  expect(() => nanoDollars(written)).toThrow('is not an amount');
});

describe('commands', () => {
  const workspaces = new FakeWorkspaceStore();
  const keys = new FakeKeyStore(workspaces);
  const credit = new FakeCreditStore(workspaces);
  const running: BatchRecord[] = [];
  const published = new Map<string, string>();
  const collections = {
    isTaken: async (name: string) => published.has(name),
    publish: async (workspaceId: string, _id: string, name: string) => {
      if (workspaceId !== 'ws_owner') return false;
      published.set(name, workspaceId);
      return true;
    },
  };
  const commands: AdminCommand[] = [
    ...workspaceCommands,
    ...keyCommands,
    ...creditCommands,
    ...batchCommands,
    ...collectionCommands,
  ];
  const run = async (...words: string[]) => {
    const printed: string[] = [];
    const deployment = async () => ({
      workspaces,
      keys,
      credit,
      collections,
      batches: { active: async () => running },
    });
    await carryOut(commands, words, { print: (text) => printed.push(text), deployment });
    return printed.join('\n');
  };

  test('a key is shown once, listed by its hint, and revoked', async () => {
    const id =
      (await run('workspaces', 'create', '--name', 'lab', '--billing', 'unlimited')).match(/ws_\w+/)?.[0] ?? '';
    const made = await run('keys', 'create', '--workspace', id, '--scope', 'decisions');
    const secret = made.split('\n')[0]!;
    const listed = await run('keys', 'list', '--workspace', id);
    expect(secret).toMatch(/^asy_live_/);
    expect(listed).toContain('decisions');
    expect(listed).not.toContain(secret);
    const keyId = made.match(/id (\w+)/)?.[1] ?? '';
    expect(await run('keys', 'revoke', '--workspace', id, '--key', keyId)).toContain(`revoked ${keyId}`);
  });

  test('a collection is published once under a name, by its owner', async () => {
    const publish = (workspace: string, name: string) =>
      run('collections', 'publish', '--workspace', workspace, '--collection', 'col_1', '--name', name);
    expect(await publish('ws_owner', 'astronauts')).toBe('published col_1 as astronauts');
    await expect(publish('ws_owner', 'astronauts')).rejects.toThrow('already');
    await expect(publish('ws_other', 'others')).rejects.toThrow('no collection');
    for (const name of ['col_2', '', 'two words', 'x'.repeat(65)])
      await expect(publish('ws_owner', name)).rejects.toThrow('no public name');
  });

  test('settings of a workspace change, one at a time', async () => {
    const id = (await run('workspaces', 'create', '--name', 'shop')).match(/ws_\w+/)?.[0] ?? '';
    await run('workspaces', 'change', '--workspace', id, '--zero-retention', 'on', '--items-limit', '5');
    await run('workspaces', 'suspend', '--workspace', id);
    expect(await workspaces.find(id)).toMatchObject({
      billing: 'prepaid',
      zeroRetention: true,
      itemsLimit: 5,
      suspended: true,
    });
    await run('workspaces', 'resume', '--workspace', id);
    expect(await run('workspaces', 'list')).toMatch(/shop .*no/);
  });

  test('credit is booked once per reference, and taken back only as far as it is there', async () => {
    const id = (await run('workspaces', 'create', '--name', 'bank')).match(/ws_\w+/)?.[0] ?? '';
    const add = (...more: string[]) => run('credit', 'add', '--workspace', id, ...more);
    expect(await add('--usd', '10', '--reference', 'invoice-1')).toBe('booked; balance $10.00');
    expect(await add('--usd', '10', '--reference', 'invoice-1')).toBe('booked before; balance $10.00');
    expect(await add('--usd=-2.5')).toBe('booked; balance $7.50');
    await expect(add('--usd=-8')).rejects.toThrow('nothing was changed');
    expect(await run('ledger', 'verify')).toBe('The ledger adds up.');
  });

  test('usage is shown by day, key and model with its total', async () => {
    const id =
      (await run('workspaces', 'create', '--name', 'user', '--billing', 'unlimited')).match(/ws_\w+/)?.[0] ?? '';
    const charge = {
      workspaceId: id,
      keyId: 'key_1',
      model: 'assay-1.0',
      kind: 'decide' as const,
      tokens: 100,
      amountNano: 4_200n,
    };
    await credit.charge({ ...charge, reference: 'req_1' });
    await credit.charge({ ...charge, reference: 'req_2' });
    expect(await run('usage', '--workspace', id)).toMatch(/key_1 +assay-1.0 +2 +200 +\$0\.0000084/);
    await expect(run('usage', '--workspace', id, '--from', 'monday')).rejects.toThrow('takes a day');
  });

  test('batches that have not ended are shown with what is left of them', async () => {
    expect(await run('batches')).toBe('No batch is a draft, queued or running.');
    running.push({
      id: 'batch_8fJ2kLm4Qz',
      workspaceId: 'ws_1',
      keyId: 'key_1',
      state: 'running',
      ending: 'cancelled',
      failure: null,
      requests: 10,
      inProgress: 2,
      completed: 4,
      failed: 1,
      expired: 0,
      cancelled: 0,
      refused: 1,
      inputTokens: 40,
      uploadedBytes: 100,
      createdAt: new Date('2026-03-01T12:00:00Z'),
      finalizedAt: new Date('2026-03-01T12:00:00Z'),
      expiresAt: new Date('2026-03-02T12:00:00Z'),
      endedAt: null,
      resultsBytes: null,
      resultsEtag: null,
    });
    expect(await run('batches')).toMatch(/batch_8fJ2kLm4Qz .*running, ends as cancelled +10 +3 +2 +4 +1 .*2026-03-02/);
  });

  test.each([
    [['workspaces', 'change', '--workspace', 'ws_none', '--name', 'x'], 'no workspace ws_none'],
    [['workspaces', 'create', '--name', 'x', '--billing', 'free'], 'prepaid or unlimited'],
    [['keys', 'create', '--workspace', 'ws_none', '--scope', 'all'], 'full or decisions'],
    [['keys', 'revoke', '--workspace', 'ws_none', '--key', 'key_none'], 'has no key'],
  ])('refuses %j', async (words, reason) => {
    await expect(run(...words)).rejects.toThrow(reason);
  });
});
