import { parseArgs } from 'node:util';
import type { Keys } from './probe.js';

export const HELP = `Checks a running service against the statements of its contract.

  npm run conformance -- --base-url <address> --key <Full access key> [options]

  --decisions-key <key>   a Decisions-only key of the same workspace
  --other-key <key>       a key of another workspace
  --revoked-key <key>     a key that was revoked
  --no-credit-key <key>   a key of a workspace whose credit is used up
  --suspended-key <key>   a key of a suspended workspace
  --model <id>            the model to ask (the first that is listed)
  --surface <name>        only this surface; may be given several times
  --patient               also wait for the service's own time limits (a minute or so)
  --json <file>           write the full report as JSON, every call of it included
  --verbose               print what was sent and came back for every statement
  --help

  npm run conformance -- two-processes --help

starts two processes on one PostgreSQL itself and checks both.

Without the keys that it is not given, statements about such callers are reported as not applicable. No admin access is
needed. The exit code is 0 when no statement is broken, 1 otherwise, 2 for wrong usage.
`;

export interface Options {
  readonly baseUrl: string;
  readonly keys: Keys;
  readonly model: string | undefined;
  readonly surfaces: readonly string[];
  readonly patient: boolean;
  readonly json: string | undefined;
  readonly verbose: boolean;
}

export class UsageError extends Error {}

export function options(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'base-url': { type: 'string' },
      key: { type: 'string' },
      'decisions-key': { type: 'string' },
      'other-key': { type: 'string' },
      'revoked-key': { type: 'string' },
      'no-credit-key': { type: 'string' },
      'suspended-key': { type: 'string' },
      model: { type: 'string' },
      surface: { type: 'string', multiple: true },
      patient: { type: 'boolean', default: false },
      json: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const baseUrl = values['base-url'];
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    throw new UsageError('--base-url must be an address; see --help');
  if (values.key === undefined) throw new UsageError('--key is needed; see --help');
  return {
    baseUrl,
    keys: {
      full: values.key,
      decisions: values['decisions-key'],
      other: values['other-key'],
      revoked: values['revoked-key'],
      withoutCredit: values['no-credit-key'],
      suspended: values['suspended-key'],
    },
    model: values.model,
    surfaces: values.surface ?? [],
    patient: values.patient,
    json: values.json,
    verbose: values.verbose,
  };
}
