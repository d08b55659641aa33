import type * as z from 'zod';
import { operations } from './generated/operations.js';
import type { ErrorType } from './generated/types.gen.js';

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type Scope = 'full' | 'decisions';

/** What every entry of the table of operations has, for code that goes through all of them. */
export interface Operation {
  readonly id: OperationId;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** `full`: only keys with Full access; `decisions`: every key. */
  readonly scope: Scope;
  /** Counted per key and model (`model`), or per key alone (`key`). */
  readonly rateLimit: 'model' | 'key';
  /** Takes an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** The error of an id in the path that is unknown or malformed. */
  readonly notFound: 'not_found_error' | 'collection_not_found' | null;
  /** Bytes of the body, over which it is a 413. */
  readonly bodyLimit: number | null;
  /** The body is read as a stream by the surface itself, not parsed and validated before. */
  readonly streamed: boolean;
  readonly status: number;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly errors: readonly ErrorType[];
  readonly statuses: readonly number[];
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly responses: { readonly [status: number]: z.ZodType };
}

/** The table of operations with its entries under one type. */
export const operationTable: { readonly [Id in OperationId]: Operation } = operations;

type Layer<Entry, Name extends string> = Entry extends { readonly [N in Name]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** What a handler receives: every layer validated, defaults filled in. */
export interface OperationInput<Id extends OperationId> {
  readonly params: Layer<Operations[Id], 'params'>;
  readonly query: Layer<Operations[Id], 'query'>;
  readonly headers: Layer<Operations[Id], 'headers'>;
  readonly body: Layer<Operations[Id], 'body'>;
}

type ResponseOf<Entry, Status> = Entry extends { readonly responses: infer Responses }
  ? Status extends keyof Responses
    ? Responses[Status] extends z.ZodType
      ? z.input<Responses[Status]>
      : undefined
    : undefined
  : undefined;

/** What a handler must return: the body of the success response, undefined where there is none. */
export type OperationOutput<Id extends OperationId> = ResponseOf<Operations[Id], Operations[Id]['status']>;

/** The handlers of some operations, by their ids. */
export type Handlers<Id extends OperationId> = {
  [Each in Id]: (input: OperationInput<Each>, ...rest: never[]) => Promise<OperationOutput<Each>>;
};
