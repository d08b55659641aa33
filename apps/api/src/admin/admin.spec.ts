import { FakeKeyStore } from '../access/keys/key-store.fake.js';
import { FakeWorkspaceStore } from '../access/workspaces/workspace-store.fake.js';
import { type Command, carryOut } from './command.js';
import { configCommands } from './config.js';
import type { Deployment } from './deployment.js';
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

describe('workspaces and keys', () => {
  const workspaces = new FakeWorkspaceStore();
  const keys = new FakeKeyStore(workspaces);
  const commands: Command<Pick<Deployment, 'workspaces' | 'keys'> & Deployment>[] = [
    ...workspaceCommands,
    ...keyCommands,
    ...configCommands,
  ];
  const run = async (...words: string[]) => {
    const printed: string[] = [];
    const deployment = async () => ({ workspaces, keys }) as Deployment;
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

  test.each([
    [['workspaces', 'change', '--workspace', 'ws_none', '--name', 'x'], 'no workspace ws_none'],
    [['workspaces', 'create', '--name', 'x', '--billing', 'free'], 'prepaid or unlimited'],
    [['keys', 'create', '--workspace', 'ws_none', '--scope', 'all'], 'full or decisions'],
    [['keys', 'revoke', '--workspace', 'ws_none', '--key', 'key_none'], 'has no key'],
  ])('refuses %j', async (words, reason) => {
    await expect(run(...words)).rejects.toThrow(reason);
  });
});
