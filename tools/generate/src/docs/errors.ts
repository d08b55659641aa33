import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface ErrorRule {
  readonly status: number;
  readonly retry: string;
  readonly waits: boolean;
  readonly when: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface LimitRule {
  readonly value: number;
  readonly unit: string;
  readonly status: number;
  readonly error: string;
}

const RETRIES: { readonly [rule: string]: string } = {
  never: 'no',
  after_wait: 'yes, after a wait',
  after_credit: 'after adding credit',
  poll: 'poll',
  later: 'later',
};

const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

function errorRow([type, rule]: [string, ErrorRule]): string {
  const headers = [...(rule.waits ? ['Retry-After', 'retry-after-ms'] : []), ...Object.keys(rule.headers ?? {})];
  return row(rule.status, `\`${type}\``, rule.when, RETRIES[rule.retry] ?? rule.retry, headers.join(', '));
}

function limitRow([name, rule]: [string, LimitRule]): string {
  const answer: { readonly [error: string]: string } = {
    question_limit: '`detail` is a plain string',
    validation: 'one entry of `detail`',
  };
  const value = rule.value.toLocaleString('en-US');
  return row(name, `${value} ${rule.unit}`, rule.status, answer[rule.error] ?? `\`${rule.error}\``);
}

/** Node reads these two files as they are: they hold only data and types. */
const load = (folder: string, file: string) => import(pathToFileURL(join(folder, 'src', file)).href);

/** Writes ERRORS.md from the error table and the limits of packages/contract. */
export async function documentErrors(contract: string, target: string): Promise<void> {
  const { errors }: { errors: { [type: string]: ErrorRule } } = await load(contract, 'errors.ts');
  const { limits }: { limits: { [name: string]: LimitRule } } = await load(contract, 'limits.ts');
  const lines = [
    '# Errors and limits',
    '',
    'Generated from `src/errors.ts` and `src/limits.ts` by `npm run generate`.',
    '',
    '## Errors',
    '',
    'Every error body has `detail`. For the types below it is an object with `error_type` and `message`',
    '(`max_tokens_exceeded` has no message). A 422 lists every invalid field instead; a 400 for the options or levels of a',
    'question is a plain string.',
    '',
    row('Status', 'Type', 'When', 'Retry', 'Headers'),
    row('---', '---', '---', '---', '---'),
    ...Object.entries(errors).map(errorRow),
    '',
    '## Limits',
    '',
    row('Limit', 'Value', 'Status', 'Answer over it'),
    row('---', '---', '---', '---'),
    ...Object.entries(limits).map(limitRow),
    '',
  ];
  await writeFile(target, lines.join('\n'));
}
