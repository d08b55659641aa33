import { type Command, carryOut, UsageError } from './command.js';

const created: string[] = [];
const commands: Command<string>[] = [
  {
    name: 'keys create',
    summary: 'Makes a key',
    options: { workspace: { meaning: 'Whose', value: 'id', required: true }, quiet: { meaning: 'Say nothing' } },
    run: async ({ given, flag, print, deployment }) => {
      created.push(`${given('workspace')} in ${await deployment()}`);
      if (!flag('quiet')) print('made');
    },
  },
  { name: 'config', summary: 'Prints the manual', options: {}, run: async ({ print }) => print('# Settings') },
];

const run = async (...words: string[]) => {
  const printed: string[] = [];
  await carryOut(commands, words, { print: (text) => printed.push(text), deployment: async () => 'here' });
  return printed.join('\n');
};

test('carries out a command of two words and of one', async () => {
  expect(await run('keys', 'create', '--workspace', 'w1')).toBe('made');
  expect(await run('keys', 'create', '--workspace=w2', '--quiet')).toBe('');
  expect(await run('config')).toBe('# Settings');
  expect(created).toEqual(['w1 in here', 'w2 in here']);
});

test('shows all commands, or the options of one', async () => {
  expect(await run()).toContain('keys create');
  expect(await run('--help')).toContain('Prints the manual');
  expect(await run('keys', 'create', '--help')).toMatch(/--workspace <id> +Whose \(required\)/);
});

test.each([
  [['keys', 'destroy'], 'no command "keys destroy"'],
  [['keys', 'create'], '--workspace missing'],
  [['keys', 'create', '--workspce', 'w1'], '--workspce'],
  [['config', 'surplus'], 'surplus'],
])('refuses %j and says why', async (words, reason) => {
  await expect(run(...words)).rejects.toThrow(UsageError);
  await expect(run(...words)).rejects.toThrow(reason);
});
