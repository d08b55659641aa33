import type { OperationId } from '@assay/contract';

/**
 * The operations of the contract that this version refuses with 529 `overloaded_error`, after every other check. A surface that
 * learns to serve one takes its name out of here.
 */
export const NOT_SERVED: readonly OperationId[] = [
  'createCollection',
  'listCollections',
  'getCollection',
  'deleteCollection',
  'enrollItem',
  'listItems',
  'updateItem',
  'deleteItem',
  'searchCollection',
];
