import type { OperationOutput } from '@assay/contract';
import { Controller, UseGuards } from '@nestjs/common';
import { ItemStore } from '../faces/item-store.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Refusal } from '../http/refusal.js';
import { Metering } from '../metering/metering.js';
import { Enrollment } from './enrollment/enrollment.js';
import { collectionOf, PathCollectionGuard } from './path-collection.guard.js';
import { page, shownItem } from './shown.js';

const NO_ITEM = { message: 'No such item.' };

@Controller()
@UseGuards(PathCollectionGuard)
export class ItemsController {
  constructor(
    private readonly enrollment: Enrollment,
    private readonly items: ItemStore,
    private readonly metering: Metering,
  ) {}

  @Implement('enrollItem')
  enroll(@Asked() call: Call<'enrollItem'>): Promise<OperationOutput<'enrollItem'>> {
    return this.enrollment.enroll(call);
  }

  @Implement('listItems')
  async list(@Asked() call: Call<'listItems'>): Promise<OperationOutput<'listItems'>> {
    await this.metering.admit(call);
    const { offset, limit, reference } = call.query;
    const found = await this.items.list(collectionOf(call.context).id, reference, { offset, limit: limit + 1 });
    const { entries, next_offset } = page(found, call.query);
    return { items: entries.map(shownItem), next_offset };
  }

  @Implement('updateItem')
  async update(@Asked() call: Call<'updateItem'>): Promise<OperationOutput<'updateItem'>> {
    await this.metering.admit(call);
    const changed = await this.items.update(call.params.id, call.params.item_id, call.body);
    if (!changed) throw new Refusal('not_found_error', NO_ITEM);
    return shownItem(changed);
  }

  @Implement('deleteItem')
  async delete(@Asked() call: Call<'deleteItem'>): Promise<OperationOutput<'deleteItem'>> {
    await this.metering.admit(call);
    const { id, item_id } = call.params;
    if (!(await this.items.remove(call.caller.workspace.id, id, item_id)))
      throw new Refusal('not_found_error', NO_ITEM);
  }
}
