import { limits, type OperationOutput } from '@assay/contract';
import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BaseUrl } from '../http/base-url.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Metering } from '../metering/metering.js';
import { type BatchRecord, present } from './batch.js';
import { draftRefusal, endRefusal } from './refusals.js';
import { BatchRunner } from './running/batch-runner.js';
import { DraftRefused, Drafts, type Owner } from './store/drafts.js';
import { type EndProblem, Ends } from './store/ends.js';
import { Reading } from './store/reading.js';
import { Intake } from './upload/intake.js';

const ownerOf = ({ caller }: Pick<Call, 'caller'>): Owner => ({
  workspaceId: caller.workspace.id,
  keyId: caller.key.id,
});

@Controller()
export class BatchesController {
  constructor(
    private readonly intake: Intake,
    private readonly drafts: Drafts,
    private readonly ends: Ends,
    private readonly reading: Reading,
    private readonly runner: BatchRunner,
    private readonly metering: Metering,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Implement('createBatch')
  async createBatch(
    @Asked() call: Call<'createBatch'>,
    @Req() request: Request,
  ): Promise<OperationOutput<'createBatch'>> {
    const owner = ownerOf(call);
    const batch = await this.intake.take(request, call.context, limits.batchUpload, async (upload) => {
      await this.metering.admit(call);
      return this.drafts.create(owner, upload).catch(refuse);
    });
    return this.shown(batch);
  }

  @Implement('addBatchRequests')
  async addBatchRequests(
    @Asked() call: Call<'addBatchRequests'>,
    @Req() request: Request,
  ): Promise<OperationOutput<'addBatchRequests'>> {
    const owner = ownerOf(call);
    const { id } = call.params;
    await this.owned(owner.keyId, id);
    const batch = await this.intake.take(request, call.context, limits.batchAdd, async (upload) => {
      await this.metering.admit(call);
      return this.drafts.add(owner, id, upload).catch(refuse);
    });
    return this.shown(batch);
  }

  @Implement('finalizeBatch')
  async finalizeBatch(@Asked() call: Call<'finalizeBatch'>): Promise<OperationOutput<'finalizeBatch'>> {
    await this.owned(call.caller.key.id, call.params.id);
    await this.metering.admit(call);
    const batch = settled(await this.ends.finalize(call.caller.key.id, call.params.id));
    this.runner.nudge();
    return this.shown(batch);
  }

  @Implement('cancelBatch')
  async cancelBatch(@Asked() call: Call<'cancelBatch'>): Promise<OperationOutput<'cancelBatch'>> {
    const { id } = call.params;
    await this.owned(call.caller.key.id, id);
    await this.metering.admit(call);
    settled(await this.ends.cancel(call.caller.key.id, id));
    await this.runner.drained(id, call.context.signal);
    return this.shown(await this.owned(call.caller.key.id, id));
  }

  @Implement('getBatch')
  async getBatch(@Asked() call: Call<'getBatch'>): Promise<OperationOutput<'getBatch'>> {
    const batch = await this.owned(call.caller.key.id, call.params.id);
    await this.metering.admit(call);
    return this.shown(batch);
  }

  @Implement('listBatches')
  async listBatches(@Asked() call: Call<'listBatches'>): Promise<OperationOutput<'listBatches'>> {
    const { offset, limit } = call.query;
    await this.metering.admit(call);
    const found = await this.reading.list(call.caller.key.id, { offset, limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      batches: page.map((batch) => this.shown(batch)),
      next_offset: found.length > limit ? offset + limit : null,
    };
  }

  private async owned(keyId: string, id: string): Promise<BatchRecord> {
    return settled((await this.reading.find(keyId, id)) ?? 'not_found');
  }

  private shown(batch: BatchRecord) {
    return present(batch, this.baseUrl.get());
  }
}

function settled(outcome: BatchRecord | EndProblem): BatchRecord {
  if (typeof outcome === 'string') throw endRefusal(outcome);
  return outcome;
}

function refuse(error: unknown): never {
  throw error instanceof DraftRefused ? draftRefusal(error) : error;
}
