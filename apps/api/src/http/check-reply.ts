import { type OperationId, operationTable } from '@assay/contract';
import type { RequestContext } from './context.js';
import { Written } from './written.js';

/** Fails when an operation answers something else than the contract says, or was not counted against its rate limit. */
export function checkReply(id: OperationId, reply: unknown, context: RequestContext): void {
  const { responses, status } = operationTable[id];
  const problems = reply instanceof Written ? [] : (responses[status]?.safeParse(reply).error?.issues ?? []);
  if (problems.length > 0) {
    const where = problems.map(({ path, code }) => `${path.join('.')} ${code}`);
    throw new Error(`${id} replied against the contract: ${where.join(', ')}`);
  }
  if (!context.admitted) throw new Error(`${id} replied without being counted`);
}
