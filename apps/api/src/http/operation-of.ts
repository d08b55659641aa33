import type { OperationId } from '@assay/contract';

const implemented = new WeakMap<object, OperationId>();

/** Notes which operation of the contract a handler answers. */
export function bindOperation(handler: object, id: OperationId): void {
  implemented.set(handler, id);
}

/** The operation a handler answers; nothing for routes outside the contract. */
export const operationOf = (handler: object): OperationId | undefined => implemented.get(handler);
