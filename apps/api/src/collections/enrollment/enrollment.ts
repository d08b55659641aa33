import type { Item } from '@assay/contract';
import { limits } from '@assay/contract';
import { isEligible } from '@assay/vision';
import { Inject, Injectable } from '@nestjs/common';
import { ItemStore } from '../../faces/item-store.js';
import { shownBox } from '../../faces/shown.js';
import type { Call } from '../../http/call.js';
import { InvalidRequest, Refusal } from '../../http/refusal.js';
import { PictureReading } from '../../images/reading/picture-reading.js';
import { Metering } from '../../metering/metering.js';
import { newIdentifier } from '../../storage/database/identifier.js';
import { FacesOfPicture, pictureInvalid, type ReadFaces } from '../faces-of-picture.js';
import { collectionOf } from '../path-collection.guard.js';
import { ENROLLMENT_PRICE, type EnrollmentPrice } from './price.js';
import { type FaceToKeep, Settlement } from './settlement.js';

type Enrolling = Call<'enrollItem'>;

/** From a picture to an enrolled face. Whatever is answered after the picture was read is settled in one transaction. */
@Injectable()
export class Enrollment {
  constructor(
    private readonly faces: FacesOfPicture,
    private readonly items: ItemStore,
    private readonly pictures: PictureReading,
    private readonly metering: Metering,
    private readonly settlement: Settlement,
    @Inject(ENROLLMENT_PRICE) private readonly price: EnrollmentPrice,
  ) {}

  async enroll(call: Enrolling): Promise<Item> {
    const claim = await this.settlement.begin(call);
    if ('again' in claim) {
      await this.metering.count(call);
      await this.useUp(call);
      return claim.again();
    }
    try {
      return await this.work(call, claim.key);
    } catch (error) {
      await this.settlement.abandon(claim.key);
      throw error;
    }
  }

  private async work(call: Enrolling, key: Parameters<Settlement['enrolled']>[1]): Promise<Item> {
    const { body, caller, context } = call;
    await this.faces.check(body.image, caller.workspace.id);
    await this.refuseFull(call);
    const priceNano = await this.priced(call);
    const reading = { workspaceId: caller.workspace.id, signal: context.signal };
    const read = await this.faces.read(body.image, reading, 'largest').catch(async (error: unknown) => {
      if (error instanceof InvalidRequest) {
        await this.settlement.unreadable(error, key);
        await this.useUp(call);
      }
      throw error;
    });
    context.signal.throwIfAborted();
    const kept = faceToKeep(call, read, priceNano);
    if (!kept) {
      const noFace = pictureInvalid(
        'no_face',
        'No face in the picture is large and clear enough to enroll',
        body.image,
      );
      await this.settlement.noFace(call, noFace, { faceModel: read.faceModel, priceNano }, key);
      await this.useUp(call);
      throw noFace;
    }
    const item = await this.settlement.enrolled(call, key, kept);
    await this.useUp(call);
    return item;
  }

  private async refuseFull({ caller }: Enrolling): Promise<void> {
    const { id, itemsLimit } = caller.workspace;
    if ((await this.items.count(id)) >= itemsLimit)
      throw new Refusal('items_limit_reached', { message: limits.workspaceItems.message(itemsLimit) });
  }

  /** What it will cost, once it is sure that it can be paid and may be done now. */
  private async priced(call: Enrolling): Promise<bigint> {
    const { billing, balanceNano } = call.caller.workspace;
    if (this.price !== null && billing === 'prepaid' && balanceNano < this.price)
      throw new Refusal('insufficient_credit');
    await this.metering.admit(call);
    if (this.price === null)
      throw new Refusal('overloaded_error', {
        message: 'Enrollment is not offered on this deployment.',
        details: { reason: 'enrollment_unpriced' },
      });
    return this.price;
  }

  private useUp({ body, caller }: Enrolling): Promise<void> {
    return this.pictures.useUp([body.image], caller.workspace);
  }
}

/** The largest face that can be enrolled; nothing when there is none. */
function faceToKeep(
  { body, context }: Enrolling,
  { faces, faceModel }: ReadFaces,
  priceNano: bigint,
): FaceToKeep | undefined {
  const eligible = faces.filter(isEligible);
  const [largest] = eligible;
  if (!largest?.template) return undefined;
  return {
    id: newIdentifier('itm'),
    collectionId: collectionOf(context).id,
    reference: body.reference,
    label: body.label ?? null,
    metadata: body.metadata ?? {},
    facesFound: eligible.length,
    box: shownBox(largest.box),
    template: largest.template,
    faceModel,
    priceNano,
  };
}
