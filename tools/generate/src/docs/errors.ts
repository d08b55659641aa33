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

type Row = readonly (string | number)[];

/** Columns as wide as their widest cell, as the formatter would have them. */
function table(head: Row, rows: readonly Row[]): string[] {
  const cells = [head, head.map(() => ''), ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row, index) => {
    const padded = widths.map((width, column) => (row[column] ?? '').padEnd(width, index === 1 ? '-' : ' '));
    return `| ${padded.join(' | ')} |`;
  });
}

function errorRow([type, rule]: [string, ErrorRule]): Row {
  const headers = [...(rule.waits ? ['Retry-After', 'retry-after-ms'] : []), ...Object.keys(rule.headers ?? {})];
  return [rule.status, `\`${type}\``, rule.when, RETRIES[rule.retry] ?? rule.retry, headers.join(', ')];
}

function limitRow([name, rule]: [string, LimitRule]): Row {
  const answer: { readonly [error: string]: string } = {
    question_limit: '`detail` is a plain string',
    validation: 'one entry of `detail`',
  };
  const value = rule.value.toLocaleString('en-US');
  return [name, `${value} ${rule.unit}`, rule.status, answer[rule.error] ?? `\`${rule.error}\``];
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
    ...table(['Status', 'Type', 'When', 'Retry', 'Headers'], Object.entries(errors).map(errorRow)),
    '',
    '## Limits',
    '',
    ...table(['Limit', 'Value', 'Status', 'Answer over it'], Object.entries(limits).map(limitRow)),
    '',
  ];
  await writeFile(target, lines.join('\n'));
}
