import { limits, type OperationOutput } from '@assay/contract';
import { Controller } from '@nestjs/common';
import { IMAGES_PER_FRAME } from '../answering/kept/content.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Refusal } from '../http/refusal.js';
import { Metering } from '../metering/metering.js';
import { Opening } from './opening.js';
import { SessionKeeper } from './session-keeper.js';
import { endedSession, type SessionRecord } from './store/session-record.js';
import { StreamUrl } from './stream-url.js';

const NO_SESSION = { message: 'No session with this id for this key.' };

@Controller()
export class SessionsController {
  constructor(
    private readonly opening: Opening,
    private readonly keeper: SessionKeeper,
    private readonly metering: Metering,
    private readonly streamUrl: StreamUrl,
  ) {}

  @Implement('openSession')
  async openSession(@Asked() call: Call<'openSession'>): Promise<OperationOutput<'openSession'>> {
    const { body, caller, context } = call;
    const { window, ttl_seconds: ttlSeconds, ...fixed } = body;
    const kept = this.opening.prepare(fixed, window);
    const model = kept.model.id;
    context.facts.model = model;
    await this.metering.admit(call, model);
    const { id, parts } = await this.opening.open(kept, { caller, window, ttlSeconds, signal: context.signal });
    context.facts.inputTokens = kept.inputTokens;
    context.setHeader('x-service-model', model);
    return {
      session_id: id,
      stream_url: this.streamUrl.of(id),
      model,
      window,
      expires_at: parts.expiresAt.toISOString(),
      limits: { frame_tokens: limits.frameTokens.value, images_per_frame: IMAGES_PER_FRAME },
      usage: { input_tokens: kept.inputTokens, output_tokens: 0 },
    };
  }

  @Implement('endSession')
  async endSession(@Asked() call: Call<'endSession'>): Promise<OperationOutput<'endSession'>> {
    const { id } = call.params;
    const keyId = call.caller.key.id;
    const known = await this.owned(id, keyId);
    await this.metering.admit(call);
    if (known.reason !== null) return endedSession(known);
    await this.keeper.end(id, keyId);
    return endedSession(await this.owned(id, keyId));
  }

  private async owned(id: string, keyId: string): Promise<SessionRecord> {
    const found = await this.keeper.find(id, keyId);
    if (!found) throw new Refusal('not_found_error', NO_SESSION);
    return found;
  }
}
