import type * as z from 'zod';
import type { ValidationEntry } from '../generated/types.gen.js';
import { JsonError } from '../json/parse.js';
import type { RuleParams } from '../rules/objects.js';
import { type Location, locate, valueAt } from './locate.js';
import {
  EXTRA,
  MISSING,
  type Wrong,
  wrongFormat,
  wrongKind,
  wrongKinds,
  wrongLiteral,
  wrongSize,
  wrongTag,
} from './messages.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The part of a request that was checked; it is the first step of every location. */
export type RequestPart = 'body' | 'query' | 'header' | 'path';

const ECHOED_CHARACTERS = 64;
const NAME_CHARACTERS = 512;

/** What was sent, as far as it is echoed: strings are cut, objects and arrays never come back. */
export function echo(value: unknown): ValidationEntry['input'] {
  if (typeof value === 'string') return [...value.slice(0, 2 * ECHOED_CHARACTERS)].slice(0, ECHOED_CHARACTERS).join('');
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

class Details {
  private readonly byLocation = new Map<string, ValidationEntry>();

  get entries(): ValidationEntry[] {
    return [...this.byLocation.values()];
  }

  constructor(
    private readonly schema: z.core.$ZodType,
    private readonly sent: unknown,
    private readonly part: RequestPart,
  ) {}

  /** A field gets one entry, for the first thing that is wrong with it. `within` is the path of a value; `name` a name in it that is wrong as such. */
  private add(wrong: Wrong, within: Path, options: { name?: string; input?: unknown } = {}): void {
    const { name, input = valueAt(this.sent, within) } = options;
    const loc: Location = [this.part, ...locate(this.schema, this.sent, within), ...(name === undefined ? [] : [name])];
    const key = JSON.stringify(loc);
    if (this.byLocation.has(key)) return;
    const shown = loc.map((step) => (typeof step === 'string' && step.length > NAME_CHARACTERS ? cut(step) : step));
    this.byLocation.set(key, { type: wrong.type, loc: shown, msg: wrong.msg, input: echo(input) });
  }

  private addMissing(path: Path, wrong: Wrong = MISSING): void {
    this.add(wrong, path.slice(0, -1), { name: String(path.at(-1)), input: null });
  }

  private addUnlessMissing(wrong: Wrong, path: Path): void {
    if (path.length > 0 && valueAt(this.sent, path) === undefined) this.addMissing(path);
    else this.add(wrong, path);
  }

  visit(issue: Issue, base: Path): void {
    const path = [...base, ...issue.path];
    switch (issue.code) {
      case 'unrecognized_keys':
        for (const name of issue.keys) this.add(EXTRA, path, { name, input: valueAt(this.sent, [...path, name]) });
        break;
      case 'invalid_key':
        this.invalidName(issue, path);
        break;
      case 'invalid_union':
        this.union(issue, path);
        break;
      case 'custom':
        this.rule(issue, path);
        break;
      default:
        this.addUnlessMissing(this.wrong(issue, path), path);
    }
  }

  private wrong(issue: Issue, path: Path): Wrong {
    switch (issue.code) {
      case 'invalid_type':
        return wrongKind(kindOf(issue));
      case 'invalid_value':
        return wrongLiteral(issue.values);
      case 'too_small':
      case 'too_big':
        return wrongSize(issue, valueAt(this.sent, path));
      case 'invalid_format':
        return wrongFormat(issue);
      default:
        return { type: 'value_error', msg: `Value error, ${issue.message}` };
    }
  }

  private invalidName(issue: z.core.$ZodIssueInvalidKey, path: Path): void {
    const name = String(path.at(-1));
    for (const wrong of issue.issues) {
      const { msg, type } = nameWrong(wrong, name);
      this.add({ type, msg: `Name: ${msg}` }, path.slice(0, -1), { name, input: name });
    }
  }

  private union(issue: z.core.$ZodIssueInvalidUnion, path: Path): void {
    if ('discriminator' in issue && typeof issue.discriminator === 'string') {
      const tag = valueAt(this.sent, path);
      const options = 'options' in issue ? (issue.options ?? []) : [];
      this.add(wrongTag(tag, issue.discriminator, options), path.slice(0, -1), { input: tag });
      return;
    }
    const ofKind = issue.errors.find((branch) => !branch.some((each) => each.path.length === 0 && isKind(each)));
    if (ofKind) for (const each of ofKind) this.visit(each, path);
    else this.addUnlessMissing(wrongKinds(issue.errors.flatMap((branch) => branch.flatMap(kinds))), path);
  }

  private rule(issue: z.core.$ZodIssueCustom, path: Path): void {
    const params = issue.params as RuleParams | undefined;
    if (params?.rule === 'any_of_required') {
      this.addMissing([...path, params.keys[0] ?? ''], { type: 'missing', msg: issue.message });
    } else {
      this.addUnlessMissing({ type: 'value_error', msg: `Value error, ${issue.message}` }, path);
    }
  }
}

const cut = (name: string) => `${name.slice(0, NAME_CHARACTERS - 1)}…`;
const isKind = (issue: Issue) => issue.code === 'invalid_type' || issue.code === 'invalid_value';
const kindOf = (issue: z.core.$ZodIssueInvalidType): string =>
  issue.expected === 'number' && 'format' in issue && issue.format === 'safeint' ? 'int' : issue.expected;
const kinds = (issue: Issue): string[] =>
  issue.code === 'invalid_type' ? [kindOf(issue)] : issue.code === 'invalid_value' ? issue.values.map(String) : [];

function nameWrong(issue: Issue, name: string): Wrong {
  if (issue.code === 'too_small' || issue.code === 'too_big') return wrongSize(issue, name);
  return issue.code === 'invalid_format' ? wrongFormat(issue) : { type: 'value_error', msg: issue.message };
}

/** The 422 entries for what a validator found wrong, all of it, in the shape of the document. */
export function toDetail(
  error: z.core.$ZodError,
  schema: z.core.$ZodType,
  sent: unknown,
  part: RequestPart = 'body',
): ValidationEntry[] {
  const details = new Details(schema, sent, part);
  for (const issue of error.issues) details.visit(issue, []);
  return details.entries;
}

/** The 422 entry for a body that is not JSON that is served. */
export function jsonDetail(error: JsonError): ValidationEntry[] {
  return [{ type: 'json_invalid', loc: ['body', error.position], msg: `Invalid JSON: ${error.message}`, input: null }];
}
