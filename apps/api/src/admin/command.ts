import { parseArgs } from 'node:util';

export interface Option {
  meaning: string;
  /** A word for the value in the help; without it the option is a switch. */
  value?: string;
  required?: boolean;
}

export interface Invocation<Deployment> {
  value(option: string): string | undefined;
  /** The value of an option that the command requires. */
  given(option: string): string;
  flag(option: string): boolean;
  print(text: string): void;
  /** Opens the deployment's database, once, when the command needs it. */
  deployment(): Promise<Deployment>;
}

export interface Command<Deployment> {
  /** Noun and verb, as typed: `keys create`. */
  name: string;
  summary: string;
  options: Record<string, Option>;
  run(call: Invocation<Deployment>): Promise<void>;
}

/** The command line cannot be carried out as written; the message says why. */
export class UsageError extends Error {}

const HELP = { meaning: 'Show this help' };

export function helpFor<D>(command: Command<D>): string {
  const options = { ...command.options, help: HELP } as Record<string, Option>;
  const lines = Object.entries(options).map(([name, { value, meaning, required }]) => {
    const written = `--${name}${value ? ` <${value}>` : ''}`;
    return `  ${written.padEnd(28)} ${meaning}${required ? ' (required)' : ''}`;
  });
  return `admin ${command.name}: ${command.summary}\n\n${lines.join('\n')}\n`;
}

export function overview<D>(commands: readonly Command<D>[]): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(22)} ${summary}`);
  return `Usage: npm run admin -- <command> [options]\n\n${lines.join('\n')}\n\nEach takes --help. Settings come from the same ASSAY_ names as the service's.\n`;
}

function find<D>(
  commands: readonly Command<D>[],
  words: readonly string[],
): [Command<D> | undefined, readonly string[]] {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return [command, words.slice(length)];
  }
  return [undefined, words];
}

/** Carries out one command line. */
export async function carryOut<D>(
  commands: readonly Command<D>[],
  words: readonly string[],
  surroundings: Pick<Invocation<D>, 'print' | 'deployment'>,
): Promise<void> {
  const [command, rest] = find(commands, words);
  if (!command) {
    if (words.length > 0 && !words[0]!.startsWith('-'))
      throw new UsageError(`There is no command "${words.join(' ')}".\n\n${overview(commands)}`);
    return surroundings.print(overview(commands));
  }
  const values = read(command, rest);
  if (values['help'] === true) return surroundings.print(helpFor(command));
  const missing = Object.entries(command.options).filter(
    ([name, { required }]) => required && values[name] === undefined,
  );
  if (missing.length > 0)
    throw new UsageError(`${missing.map(([name]) => `--${name}`).join(', ')} missing.\n\n${helpFor(command)}`);
  const value = (option: string) => (typeof values[option] === 'string' ? values[option] : undefined);
  await command.run({
    ...surroundings,
    value,
    given: (option) => value(option) ?? '',
    flag: (option) => values[option] === true,
  });
}

function read<D>(command: Command<D>, words: readonly string[]): Record<string, unknown> {
  const options = Object.entries({ ...command.options, help: HELP } as Record<string, Option>).map(
    ([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(options), strict: true }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${helpFor(command)}`);
  }
}
