import type { OperationId, OperationInput, Operations } from '@assay/contract';
import type { Caller } from '../access/keys/api-key.js';
import type { RequestContext } from './context.js';

/** A body that the surface reads by itself, as it arrives, is not in the call. */
type Body<Id extends OperationId> = Operations[Id] extends { readonly streamed: true }
  ? undefined
  : OperationInput<Id>['body'];

/** One request, let in and checked: what a handler receives. */
export interface Call<Id extends OperationId = OperationId> extends Omit<OperationInput<Id>, 'body'> {
  readonly operation: Id;
  readonly body: Body<Id>;
  readonly caller: Caller;
  readonly context: RequestContext;
}

/** The checked parts of a request, before a handler's types name them. */
export interface Checked {
  params?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
}
