import type * as z from 'zod';

/** What a 422 entry says is wrong. */
export interface Wrong {
  readonly type: string;
  readonly msg: string;
}

const KINDS: { readonly [expected: string]: Wrong } = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: { type: 'object_type', msg: 'Input should be a valid object' },
  record: { type: 'object_type', msg: 'Input should be a valid object' },
  null: { type: 'none_required', msg: 'Input should be null' },
};

const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
const oneOf = (values: readonly string[]) =>
  values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${values.at(-1)}` : (values[0] ?? '');

export const MISSING: Wrong = { type: 'missing', msg: 'Field required' };
export const EXTRA: Wrong = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };

export const wrongKind = (expected: string): Wrong =>
  KINDS[expected] ?? { type: 'value_error', msg: `Input should be a valid ${expected}` };

/** A value that fits none of several kinds. */
export const wrongKinds = (expected: readonly string[]): Wrong => {
  const kinds = [...new Set(expected)].map((kind) => (kind === 'record' ? 'object' : kind === 'array' ? 'list' : kind));
  return { type: 'union_type', msg: `Input should be a valid ${oneOf(kinds)}` };
};

export const wrongTag = (tag: unknown, discriminator: string, options: readonly unknown[]): Wrong => {
  if (tag === undefined) {
    return { type: 'union_tag_not_found', msg: `Unable to extract tag using discriminator '${discriminator}'` };
  }
  const expected = options.map((option) => `'${option}'`).join(', ');
  return {
    type: 'union_tag_invalid',
    msg: `Input tag found using '${discriminator}' does not match any of the expected tags: ${expected}`,
  };
};

type SizeIssue = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

export function wrongSize(issue: SizeIssue, sent: unknown): Wrong {
  const small = issue.code === 'too_small';
  const bound = Number(small ? issue.minimum : issue.maximum);
  const side = small ? 'at least' : 'at most';
  if (issue.origin === 'string') {
    return {
      type: small ? 'string_too_short' : 'string_too_long',
      msg: `String should have ${side} ${plural(bound, 'character')}`,
    };
  }
  if (issue.origin === 'array' || issue.origin === 'object') {
    const kind = issue.origin === 'array' ? 'List' : 'Object';
    const length = Array.isArray(sent) ? sent.length : Object.keys(Object(sent)).length;
    return {
      type: small ? 'too_short' : 'too_long',
      msg: `${kind} should have ${side} ${plural(bound, 'item')}, not ${length}`,
    };
  }
  const name = small
    ? issue.inclusive
      ? 'greater_than_equal'
      : 'greater_than'
    : issue.inclusive
      ? 'less_than_equal'
      : 'less_than';
  const words = name.replaceAll('_', ' ').replace('than equal', 'than or equal to');
  return { type: name, msg: `Input should be ${words} ${bound}` };
}

export function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): Wrong {
  if (issue.format === 'regex') {
    const pattern = String(issue.pattern).replace(/^\/(.*)\/\w*$/, '$1');
    return { type: 'string_pattern_mismatch', msg: `String should match pattern '${pattern}'` };
  }
  return { type: 'value_error', msg: `Value error, ${issue.message}` };
}

export const wrongLiteral = (values: readonly unknown[]): Wrong => ({
  type: 'literal_error',
  msg: `Input should be ${oneOf(values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))))}`,
});
