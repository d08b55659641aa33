import { type Item, limits, parse, stringify, type ValidationEntry } from '@assay/contract';
import { packTemplate } from '@assay/vision';
import type { DataSource, EntityManager } from 'typeorm';
import type { NewFaceItem } from '../../faces/collection.js';
import type { ItemStore } from '../../faces/item-store.js';
import type { Call } from '../../http/call.js';
import { InvalidRequest, Refusal } from '../../http/refusal.js';
import type { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import type { IdempotentRequest, StoredResponse } from '../../storage/idempotency/idempotency.js';
import type { PostgresIdempotencyStore } from '../../storage/idempotency/postgres-idempotency-store.js';
import { shownItem } from '../shown.js';
import { fingerprintOf } from './fingerprint.js';

type Enrolling = Call<'enrollItem'>;

export type FaceToKeep = Omit<NewFaceItem, 'workspaceId' | 'template'> & { readonly template: Float32Array };

/** The Idempotency-Key of a call that runs; nothing when it was sent without one. */
export type HeldKey = { readonly request: IdempotentRequest; readonly claim: string } | undefined;

export interface SettlementParts {
  readonly source: DataSource;
  readonly items: ItemStore;
  readonly credit: PostgresCreditStore;
  readonly keys: PostgresIdempotencyStore;
}

const CREATED = 201;
const INVALID = 422;

/** What an enrollment leaves behind: item, bill and answer stand or fall together, whenever a process dies. */
export class Settlement {
  constructor(private readonly parts: SettlementParts) {}

  /** Takes the key of the call, or tells how to give its first answer again. */
  async begin(call: Enrolling): Promise<{ key: HeldKey } | { again: () => Item }> {
    const key = call.headers['Idempotency-Key'];
    if (key === undefined) return { key: undefined };
    const request = { workspaceId: call.caller.workspace.id, key, fingerprint: fingerprintOf(call) };
    const begun = await this.parts.keys.begin(request);
    switch (begun.outcome) {
      case 'started':
        return { key: { request, claim: begun.claim } };
      case 'replay':
        return { again: () => again(begun.response) };
      case 'in_progress':
        throw new Refusal('idempotency_in_progress');
      case 'reused':
        throw new Refusal('idempotency_key_reused');
    }
  }

  /** Frees the key of a call that got no answer to keep. One that has its answer keeps it. */
  async abandon(key: HeldKey): Promise<void> {
    if (key) await this.parts.keys.abandon(key.request, key.claim);
  }

  enrolled(call: Enrolling, key: HeldKey, { template, ...face }: FaceToKeep): Promise<Item> {
    const { workspace } = call.caller;
    return this.parts.source.transaction(async (transaction) => {
      const added = { ...face, workspaceId: workspace.id, template: packTemplate(template) };
      const outcome = await this.parts.items.add(transaction, added, workspace.itemsLimit);
      if (outcome === 'no_collection') throw new Refusal('collection_not_found');
      if (outcome === 'limit_reached')
        throw new Refusal('items_limit_reached', { message: limits.workspaceItems.message(workspace.itemsLimit) });
      await this.charge(transaction, call, { ...face, reference: face.id });
      const item = shownItem({ ...face, createdAt: outcome.createdAt });
      await this.keep(transaction, key, { status: CREATED, headers: {}, body: stringify(item) });
      return item;
    });
  }

  /** Billed: the face model ran. */
  noFace(
    call: Enrolling,
    { entries }: InvalidRequest,
    cost: { faceModel: string; priceNano: bigint },
    key: HeldKey,
  ): Promise<void> {
    return this.parts.source.transaction(async (transaction) => {
      await this.charge(transaction, call, { ...cost, reference: call.context.id });
      await this.keep(transaction, key, invalid(entries));
    });
  }

  /** Not billed. */
  unreadable({ entries }: InvalidRequest, key: HeldKey): Promise<void> {
    return this.keep(undefined, key, invalid(entries));
  }

  private async charge(
    transaction: EntityManager,
    { caller }: Enrolling,
    { faceModel, priceNano, reference }: { faceModel: string; priceNano: bigint; reference: string },
  ): Promise<void> {
    const outcome = await this.parts.credit.within(transaction).charge({
      workspaceId: caller.workspace.id,
      keyId: caller.key.id,
      model: faceModel,
      kind: 'enrollment',
      tokens: 0,
      amountNano: priceNano,
      reference,
    });
    if (outcome === 'insufficient_credit') throw new Refusal('insufficient_credit');
  }

  private async keep(transaction: EntityManager | undefined, key: HeldKey, response: StoredResponse): Promise<void> {
    if (!key) return;
    const keys = transaction ? this.parts.keys.within(transaction) : this.parts.keys;
    // Another call took the key over, so that its answer counts: nothing of this one may remain.
    if (!(await keys.complete(key.request, key.claim, response))) throw new Refusal('idempotency_in_progress');
  }
}

const invalid = (entries: readonly ValidationEntry[]): StoredResponse => ({
  status: INVALID,
  headers: {},
  body: stringify({ detail: entries }),
});

function again({ status, body }: StoredResponse): Item {
  if (status === CREATED) return parse(body) as Item;
  throw new InvalidRequest((parse(body) as { detail: ValidationEntry[] }).detail);
}
