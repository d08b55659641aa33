import type { OperationOutput } from '@assay/contract';
import { Controller } from '@nestjs/common';
import { Answering } from '../answering/answering.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Metering } from '../metering/metering.js';
import { Metrics } from '../telemetry/metrics.js';
import { traceStep } from '../telemetry/traces.js';
import { serverTiming } from './server-timing.js';

@Controller()
export class DecisionsController {
  constructor(
    private readonly answering: Answering,
    private readonly metering: Metering,
    private readonly metrics: Metrics,
  ) {}

  @Implement('decide')
  async decide(@Asked() call: Call<'decide'>): Promise<OperationOutput<'decide'>> {
    const { body, context } = call;
    const ready = this.answering.prepare(body);
    const { id: model, inputUsdPerMillionTokens } = ready.engine.model;
    context.facts.model = model;
    await this.answering.checkPictures(ready, call.caller.workspace);
    await this.metering.admit(call, model);
    const validatedMs = performance.now() - context.startedAt;

    const tokens = ready.prepared.inputTokens;
    const hold = this.metering.hold(call, { inputUsdPerMillionTokens, tokens, tariff: 'live' });
    const { answers, inputTokens, headers, timings, evidence } = await traceStep('answer', () =>
      this.answering.answer(ready, {
        priority: 'live',
        signal: context.signal,
        workspace: call.caller.workspace,
        identity: { requestId: context.id, keyId: context.facts.keyId },
      }),
    ).finally(() => hold.release());
    context.signal.throwIfAborted();
    // The answer is given only when its price was taken: a call that fails up to here costs nothing.
    await traceStep('charge', () =>
      this.metering.charge(call, {
        model,
        inputUsdPerMillionTokens,
        tokens: inputTokens,
        kind: 'decide',
        tariff: 'live',
      }),
    );
    context.facts.inputTokens = inputTokens;
    this.metrics.inputTokens.inc({ model, way: 'decide' }, inputTokens);
    for (const [name, value] of Object.entries(headers)) context.setHeader(name, value);
    context.setHeader('server-timing', serverTiming({ validate: validatedMs, ...timings }));
    return { model, answers, usage: { input_tokens: inputTokens, output_tokens: 0 }, ...(evidence && { evidence }) };
  }
}
