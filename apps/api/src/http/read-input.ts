import { JsonError, jsonDetail, type OperationId, operationTable, parse, toDetail } from '@assay/contract';
import type { Request } from 'express';
import { type BodyRules, readBody } from './body.js';
import type { RequestContext } from './context.js';
import { InvalidRequest } from './refusal.js';

function parsed(bytes: Buffer): unknown {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new InvalidRequest(jsonDetail(error));
    throw error;
  }
}

/** Checks a value against the body schema of an operation; all that is wrong with it is told at once. */
export function checkBody(id: OperationId, value: unknown): unknown {
  const schema = operationTable[id].body;
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw new InvalidRequest(toDetail(result.error, schema, value));
  return result.data;
}

/** The body of a request, as the handler gets it. The Content-Type is not asked: the body is read as JSON. */
export async function readInput(
  id: OperationId,
  request: Request,
  context: RequestContext,
  rules: BodyRules,
): Promise<unknown> {
  const bytes = await readBody(request, rules);
  context.facts.bodyBytes = bytes.length;
  return checkBody(id, parsed(bytes));
}
