import { type OperationOutput, orderedObject } from '@assay/contract';
import { Controller, Inject } from '@nestjs/common';
import { CONFIG, type Config } from '../config/load.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Metering } from '../metering/metering.js';
import { ModelCatalog } from './catalog.js';
import { modelEntry } from './entry.js';

@Controller()
export class ModelsController {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly metering: Metering,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Implement('listModels')
  async listModels(@Asked() call: Call<'listModels'>): Promise<OperationOutput<'listModels'>> {
    const { offset, limit } = call.query;
    await this.metering.admit(call);
    const page = this.catalog.engines.slice(offset, offset + limit);
    const next = offset + page.length;
    return {
      models: page.map(({ model }) =>
        modelEntry(model, this.catalog.aliasesOf(model.id), {
          requestsPerMinute: this.config.ASSAY_REQUESTS_PER_MINUTE,
          sessionsPerKey: this.config.ASSAY_SESSIONS_PER_KEY,
        }),
      ),
      aliases: orderedObject(this.catalog.aliases()),
      next_offset: next < this.catalog.engines.length ? next : null,
    };
  }
}
