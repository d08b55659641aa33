import { type OperationId, type OperationOutput, operationTable } from '@assay/contract';
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Call } from './call.js';
import { contextOf } from './context.js';
import { bindOperation } from './operation-of.js';
import type { Written } from './written.js';

type Handler<Id extends OperationId> = (call: Call<Id>, ...injected: never[]) => Promise<OperationOutput<Id> | Written>;

/**
 * Makes a method answer an operation of the contract: verb, path and status come from the table, and a method that takes or returns
 * anything else than the operation does not compile.
 */
export function Implement<Id extends OperationId>(id: Id) {
  const { method, path, status } = operationTable[id];
  const route = applyDecorators(
    RequestMapping({ path: path.replace(/\{(\w+)\}/g, ':$1'), method: RequestMethod[method] }),
    HttpCode(status),
  );
  return <Method extends Handler<Id>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    if (descriptor.value) bindOperation(descriptor.value, id);
    route(target, name, descriptor);
  };
}

/** The checked request. */
export const Asked = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  contextOf(execution.switchToHttp().getRequest<Request>()).call(),
);
