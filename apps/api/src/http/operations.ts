import { type OperationId, operations } from '@assay/contract';
import type * as z from 'zod';
import type { Caller } from '../access/keys/api-key.js';
import type { RequestContext } from './context.js';

type Operations = typeof operations;

/** What a validator of the contract lets through, defaults applied. */
type Checked<Operation, Part extends string> = Operation extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** One request, checked: what a handler receives. */
export interface Call<Id extends OperationId> {
  params: Checked<Operations[Id], 'params'>;
  query: Checked<Operations[Id], 'query'>;
  headers: Checked<Operations[Id], 'headers'>;
  body: Checked<Operations[Id], 'body'>;
  caller: Caller;
  context: RequestContext;
}

type Success<Operation> = Operation extends { readonly status: infer Status; readonly responses: infer Responses }
  ? Status extends keyof Responses
    ? Responses[Status] extends z.ZodType
      ? z.input<Responses[Status]>
      : undefined
    : undefined
  : never;

/** What a handler must return: the body of the operation's success response. */
export type Answer<Id extends OperationId> = Promise<Success<Operations[Id]>>;
