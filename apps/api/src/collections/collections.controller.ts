import type { OperationOutput } from '@assay/contract';
import { Controller, UseGuards } from '@nestjs/common';
import { CollectionStore } from '../faces/collection-store.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Refusal } from '../http/refusal.js';
import { Metering } from '../metering/metering.js';
import { collectionOf, PathCollectionGuard } from './path-collection.guard.js';
import { page, shownCollection } from './shown.js';

@Controller()
@UseGuards(PathCollectionGuard)
export class CollectionsController {
  constructor(
    private readonly collections: CollectionStore,
    private readonly metering: Metering,
  ) {}

  @Implement('createCollection')
  async create(@Asked() call: Call<'createCollection'>): Promise<OperationOutput<'createCollection'>> {
    await this.metering.admit(call);
    const { name, description = null } = call.body;
    return shownCollection(await this.collections.create(call.caller.workspace.id, name, description));
  }

  @Implement('listCollections')
  async list(@Asked() call: Call<'listCollections'>): Promise<OperationOutput<'listCollections'>> {
    await this.metering.admit(call);
    const { offset, limit } = call.query;
    const found = await this.collections.list(call.caller.workspace.id, { offset, limit: limit + 1 });
    const { entries, next_offset } = page(found, call.query);
    return { collections: entries.map(shownCollection), next_offset };
  }

  @Implement('getCollection')
  async get(@Asked() call: Call<'getCollection'>): Promise<OperationOutput<'getCollection'>> {
    await this.metering.admit(call);
    return shownCollection(collectionOf(call.context));
  }

  @Implement('deleteCollection')
  async delete(@Asked() call: Call<'deleteCollection'>): Promise<OperationOutput<'deleteCollection'>> {
    await this.metering.admit(call);
    if (!(await this.collections.remove(call.caller.workspace.id, call.params.id)))
      throw new Refusal('collection_not_found');
  }
}
