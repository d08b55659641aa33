import { type OperationId, operationTable } from '@assay/contract';
import type { Request } from 'express';
import * as z from 'zod';
import type { Checked } from './call.js';
import { Refusal } from './refusal.js';

const INTEGER = /^-?\d{1,16}$/;

/** The type a query value is written as text for. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return innermost(schema.def.innerType);
  return schema;
}

function read(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value === 'string' && innermost(schema) instanceof z.ZodNumber && INTEGER.test(value))
    return Number(value);
  return value;
}

function named(schema: z.ZodType, sent: (name: string) => unknown): z.ZodSafeParseResult<unknown> {
  if (!(schema instanceof z.ZodObject)) return schema.safeParse({});
  const values = Object.entries(schema.shape).map(
    ([name, field]) => [name, read(field as z.core.$ZodType, sent(name))] as const,
  );
  return schema.safeParse(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
}

function usageError(where: string, { issues }: z.ZodError): Refusal {
  const problems = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return new Refusal('api_usage_error', { message: `Unreadable ${where} ${problems.join('; ')}` });
}

/** What stands above the body: query and headers (400), then the ids in the path (404). */
export function readRequestLine(id: OperationId, request: Request): Checked {
  const { query, headers, params, notFound } = operationTable[id];
  const checked: Checked = {};
  if (query) {
    const result = named(query, (name) => request.query[name]);
    if (!result.success) throw usageError('query value', result.error);
    checked.query = result.data;
  }
  if (headers) {
    const result = named(headers, (name) => onlyOne(request.headersDistinct[name.toLowerCase()]));
    if (!result.success) throw usageError('header', result.error);
    checked.headers = result.data;
  }
  if (params) {
    const result = named(params, (name) => request.params[name]);
    if (!result.success) throw new Refusal(notFound ?? 'not_found_error');
    checked.params = result.data;
  }
  return checked;
}

/** A header sent twice is as unreadable as a malformed one. */
const onlyOne = (values: string[] | undefined): unknown => (values && values.length > 1 ? values : values?.[0]);
