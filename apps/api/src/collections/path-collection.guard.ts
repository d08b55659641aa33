import { operationTable } from '@assay/contract';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { FaceCollection } from '../faces/collection.js';
import { CollectionStore } from '../faces/collection-store.js';
import { ItemStore } from '../faces/item-store.js';
import { contextOf, type RequestContext } from '../http/context.js';
import { operationOf } from '../http/operation-of.js';
import { Refusal } from '../http/refusal.js';

const found = new WeakMap<RequestContext, FaceCollection>();

/** The collection that the path names, looked up before the body was read. */
export function collectionOf(context: RequestContext): FaceCollection {
  const collection = found.get(context);
  if (!collection) throw new Error('The path names no collection');
  return collection;
}

/** The ids of the path are judged before the body is read: 404, then 403 for a change of a public collection. */
@Injectable()
export class PathCollectionGuard implements CanActivate {
  constructor(
    @Inject(CollectionStore) private readonly collections: CollectionStore,
    @Inject(ItemStore) private readonly items: ItemStore,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const operation = operationOf(execution.getHandler());
    const context = contextOf(execution.switchToHttp().getRequest<Request>());
    const { id, item_id: itemId } = (context.checked.params ?? {}) as { id?: string; item_id?: string };
    if (!operation || id === undefined || !context.caller) return true;
    const collection = await this.collections.find(context.caller.workspace.id, id);
    if (!collection) throw new Refusal('collection_not_found');
    const writes = operationTable[operation].errors.includes('collection_read_only');
    if (writes && collection.workspaceId === null) throw new Refusal('collection_read_only');
    if (itemId !== undefined && !(await this.items.has(collection.id, itemId)))
      throw new Refusal('not_found_error', { message: 'No such item.' });
    found.set(context, collection);
    return true;
  }
}
