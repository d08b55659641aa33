import type { OperationId } from '@assay/contract';
import { Controller } from '@nestjs/common';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { Refusal } from '../http/refusal.js';
import { Metering } from '../metering/metering.js';
import { NOT_SERVED } from './not-served.js';

/** Has one method for every operation of the list, made below. */
@Controller()
export class UnavailableController {
  constructor(private readonly metering: Metering) {}

  async refuse(call: Pick<Call, 'operation' | 'caller' | 'context'>): Promise<never> {
    await this.metering.admit(call, 'any model');
    throw new Refusal('overloaded_error', { message: `This deployment does not serve ${call.operation} yet.` });
  }
}

function bind(id: OperationId): void {
  const refuse = function (
    this: UnavailableController,
    call: Parameters<UnavailableController['refuse']>[0],
  ): Promise<never> {
    return this.refuse(call);
  };
  const descriptor = { value: refuse, writable: true, configurable: true, enumerable: false };
  Object.defineProperty(UnavailableController.prototype, id, descriptor);
  Asked()(UnavailableController.prototype, id, 0);
  Implement(id)(UnavailableController.prototype, id, descriptor);
}

for (const id of NOT_SERVED) bind(id);
