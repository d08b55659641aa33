import { durations } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { movingPng, png } from '../../../../../packages/vision/src/testing/hostile.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import { PostgresCreditStore } from '../../metering/credit/postgres-credit-store.js';
import { startTestService, type TestService } from '../../walks/test-service.js';
import {
  type Answer,
  CollectionsCaller,
  cat,
  collins,
  type EnrolledItem,
  hopper,
  image,
  type Refused,
} from '../testing/caller.js';
import { ExpiredKeys } from './expired-keys.js';

jest.setTimeout(180_000);

const PRICE_NANO = 1_000_000n;

let service: TestService;
let credit: PostgresCreditStore;
let workspaces: PostgresWorkspaceStore;
beforeAll(async () => {
  service = await startTestService();
  credit = new PostgresCreditStore(service.database.source);
  workspaces = new PostgresWorkspaceStore(service.database.source);
});
afterAll(() => service.close());

interface Customer {
  caller: CollectionsCaller;
  workspaceId: string;
  collection: string;
}

/** A workspace of its own with a collection, and credit for so many enrollments. */
async function customer(enrollments: number): Promise<Customer> {
  const workspaceId = await service.newWorkspace('prepaid');
  const caller = new CollectionsCaller(service.url, await service.newKey(workspaceId));
  if (enrollments > 0)
    await credit.grant({
      workspaceId,
      kind: 'top_up',
      amountNano: PRICE_NANO * BigInt(enrollments),
      reference: 'top up',
    });
  return { caller, workspaceId, collection: await caller.collection() };
}

/** Enrollments that were billed. */
async function billed(workspaceId: string): Promise<number> {
  const entries = await credit.entries(workspaceId, { offset: 0, limit: 1_000 });
  expect(await credit.verify()).toEqual([]);
  return entries.filter(({ kind }) => kind === 'enrollment').length;
}

async function items(collection: string): Promise<number> {
  const rows: { items: number }[] = await service.database.source.query(
    'SELECT count(*)::int AS items FROM face_items WHERE collection_id = $1',
    [collection],
  );
  return rows[0]?.items ?? -1;
}

type Enrolled = Answer<EnrolledItem & Refused>;
const entries = ({ body }: Enrolled) => body.detail.map(({ type, loc, input }) => ({ type, loc, input }));
const errorOf = ({ status, body }: Enrolled) => [status, body.detail.error_type];
const about = (type: string) => [{ type, loc: ['body', 'image'], input: 'photo' }];

describe('what an enrollment bills', () => {
  const UNREADABLE: [string, Buffer][] = [
    ['a text', Buffer.from('only words')],
    ['half a portrait', hopper.subarray(0, 20_000)],
    ['a picture of 2,500 megapixels', png({ width: 50_000, height: 50_000 })],
    ['an animation', movingPng(3)],
  ];

  test('201: once', async () => {
    const { caller, workspaceId, collection } = await customer(5);
    expect((await caller.enroll(collection, hopper)).status).toBe(201);
    expect([await billed(workspaceId), await items(collection)]).toEqual([1, 1]);
  });

  test('422 no_face: once, as the face model ran', async () => {
    const { caller, workspaceId, collection } = await customer(5);
    const answer = await caller.enroll(collection, cat);
    expect([answer.status, entries(answer)]).toEqual([422, about('no_face')]);
    expect(answer.headers.get('x-service-error')).toContain('No face');
    expect([await billed(workspaceId), await items(collection)]).toEqual([1, 0]);
  });

  test.each(UNREADABLE)('422 image_unreadable for %s: nothing', async (_what, bytes) => {
    const { caller, workspaceId, collection } = await customer(5);
    const answer = await caller.enroll(collection, bytes);
    expect([answer.status, entries(answer)]).toEqual([422, about('image_unreadable')]);
    expect(await billed(workspaceId)).toBe(0);
  });

  test('every refusal before the picture is read: nothing', async () => {
    const { caller, workspaceId, collection } = await customer(5);
    const of = (sent: object, headers = {}) => caller.enroll(collection, hopper, sent, headers);
    expect(errorOf(await of({ image: { url: 'https://pictures.example/a.png' } }))).toEqual([400, 'image_url_refused']);
    expect(errorOf(await of({ image: { upload_id: `upl_${'0'.repeat(32)}` } }))).toEqual([400, 'image_url_refused']);
    expect(errorOf(await of({}, { 'idempotency-key': 'ü' }))).toEqual([400, 'api_usage_error']);
    expect(errorOf(await of({}, { 'idempotency-key': 'x'.repeat(256) }))).toEqual([400, 'api_usage_error']);
    expect(errorOf(await caller.enroll(`col_${'0'.repeat(32)}`, hopper))).toEqual([404, 'collection_not_found']);
    expect((await of({ reference: 'no spaces' })).status).toBe(422);
    await workspaces.update(workspaceId, { itemsLimit: 0 });
    expect(errorOf(await of({}))).toEqual([409, 'items_limit_reached']);
    expect([await billed(workspaceId), await items(collection)]).toEqual([0, 0]);
  });

  test('402 without credit: nothing; reads, edits and deletes stay open', async () => {
    const { caller, workspaceId, collection } = await customer(1);
    const { body } = await caller.enroll(collection, hopper);
    expect(errorOf(await caller.enroll(collection, collins))).toEqual([402, 'insufficient_credit']);
    expect([await billed(workspaceId), await items(collection)]).toEqual([1, 1]);
    const path = `/collections/${collection}/items`;
    expect((await caller.call('GET', path)).status).toBe(200);
    expect((await caller.call('PATCH', `${path}/${body.id}`, { label: 'x' })).status).toBe(200);
    expect((await caller.call('DELETE', `${path}/${body.id}`)).status).toBe(204);
  });

  test('the limit of items holds under calls at once, and nothing over it is billed', async () => {
    const { caller, workspaceId, collection } = await customer(9);
    await workspaces.update(workspaceId, { itemsLimit: 2 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => caller.enrollPatiently(collection, hopper)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect([await billed(workspaceId), await items(collection)]).toEqual([2, 2]);
  });
});

describe('where enrollment is not possible', () => {
  test.each([
    ['without a price', { ASSAY_ENROLLMENT_USD: 'off' }, 'enrollment_unpriced', null],
    ['without a face model', { ASSAY_MODELS_DIR: import.meta.dirname }, 'face_model_unavailable', '1'],
  ])('%s: 529 with its reason', async (_what, env, reason, retryAfter) => {
    const other = await startTestService(env, service);
    const caller = new CollectionsCaller(other.url, service.key);
    const answer = await caller.enroll(await caller.collection(), hopper);
    expect([...errorOf(answer), answer.body.detail.details?.reason]).toEqual([529, 'overloaded_error', reason]);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    await other.close();
  });
});

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  test('gets the first answer again, byte for byte, with one bill', async () => {
    const { caller, workspaceId, collection } = await customer(1);
    const first = await caller.enroll(collection, hopper, {}, key('again'));
    const again = await caller.enroll(collection, hopper, {}, key('again'));
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect([await billed(workspaceId), await items(collection)]).toEqual([1, 1]);
  });

  test('repeats a no_face and an image_unreadable too', async () => {
    const { caller, workspaceId, collection } = await customer(5);
    for (const bytes of [cat, Buffer.from('only words')]) {
      const name = `of ${bytes.length}`;
      const first = await caller.enroll(collection, bytes, {}, key(name));
      const again = await caller.enroll(collection, bytes, {}, key(name));
      expect([again.status, again.text]).toEqual([422, first.text]);
    }
    expect(await billed(workspaceId)).toBe(1);
  });

  test('of many calls at once lets one work', async () => {
    const { caller, workspaceId, collection } = await customer(9);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => caller.enrollPatiently(collection, hopper, {}, key('rush'))),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(errorOf(answer)).toEqual([409, 'idempotency_in_progress']);
      expect([answer.headers.get('retry-after'), answer.headers.get('retry-after-ms')]).toEqual(['1', '1000']);
    }
    expect([await billed(workspaceId), await items(collection)]).toEqual([1, 1]);
  });

  test('is not good for another body or another collection', async () => {
    const { caller, workspaceId, collection } = await customer(5);
    await caller.enroll(collection, hopper, {}, key('one'));
    const other = await caller.collection();
    for (const answer of [
      await caller.enroll(collection, collins, {}, key('one')),
      await caller.enroll(collection, hopper, { label: 'x' }, key('one')),
      await caller.enroll(other, hopper, {}, key('one')),
    ])
      expect(errorOf(answer)).toEqual([409, 'idempotency_key_reused']);
    expect(await billed(workspaceId)).toBe(1);
  });

  test('is forgotten after 24 hours, and then works anew', async () => {
    let now = Date.now();
    const moved = await startTestService({}, service, () => new Date(now));
    const caller = new CollectionsCaller(moved.url, service.key);
    const collection = await caller.collection();
    const enroll = async () => (await caller.enrollPatiently(collection, hopper, {}, key('a day'))).body.id;
    const first = await enroll();
    now += durations.idempotencySeconds * 1_000 - 1;
    await moved.app.get(ExpiredKeys).sweep();
    expect(await enroll()).toBe(first);
    now += 1;
    await moved.app.get(ExpiredKeys).sweep();
    expect(await enroll()).not.toBe(first);
    expect(await items(collection)).toBe(2);
    await moved.close();
  });

  test('is free again after a refusal that was not the picture’s own', async () => {
    const { caller, collection } = await customer(5);
    const image_ = { image: { upload_id: `upl_${'0'.repeat(32)}` } };
    expect((await caller.enroll(collection, hopper, image_, key('retry'))).status).toBe(400);
    expect((await caller.enroll(collection, hopper, {}, key('retry'))).status).toBe(201);
  });
});

describe('metadata', () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, at]));
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 'x'.repeat(400)]));
  test.each<[string, unknown, string[]]>([
    ['over 20 keys', many, []],
    ['over 4,096 bytes', long, []],
    ['a list', [1], []],
    ['a key with capitals', { Team: 1 }, ['Team']],
    ['a key over 40 characters', { ['k'.repeat(41)]: 1 }, ['k'.repeat(41)]],
    ['an empty key', { '': 1 }, ['']],
    ['text over 500 characters', { a: 'x'.repeat(501) }, ['a']],
    ['a control character', { a: 'x\u0007' }, ['a']],
    ['an invisible character', { a: 'x\u200b' }, ['a']],
    ['a number too large', { a: 1e15 }, ['a']],
    ['a number too small', { a: 9e-7 }, ['a']],
    ['null', { a: null }, ['a']],
    ['an object', { a: {} }, ['a']],
  ])('with %s is a value_error in its place', async (_what, metadata, where) => {
    const caller = new CollectionsCaller(service.url, service.key);
    const answer = await caller.enroll(await caller.collection(), hopper, { metadata });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([
      expect.objectContaining({ type: 'value_error', loc: ['body', 'metadata', ...where] }),
    ]);
  });
});

describe('where nothing is retained', () => {
  test.each<[string, Buffer, number]>([
    ['201', hopper, 201],
    ['no_face', cat, 422],
    ['image_unreadable', hopper.subarray(0, 20_000), 422],
  ])('an upload is used up by %s', async (_what, bytes, status) => {
    const { caller, workspaceId, collection } = await customer(5);
    const upload_id = await caller.upload(bytes);
    await workspaces.update(workspaceId, { zeroRetention: true });
    expect((await caller.enroll(collection, bytes, { image: { upload_id } })).status).toBe(status);
    expect(errorOf(await caller.enroll(collection, bytes, { image: { upload_id } }))).toEqual([
      400,
      'image_url_refused',
    ]);
  });

  test('and kept by a 529, so that the retry finds it', async () => {
    const { workspaceId, collection } = await customer(5);
    await workspaces.update(workspaceId, { zeroRetention: true });
    const unpriced = await startTestService({ ASSAY_ENROLLMENT_USD: 'off' }, service);
    const there = new CollectionsCaller(unpriced.url, await service.newKey(workspaceId));
    const upload_id = await there.upload(hopper);
    expect((await there.enroll(collection, hopper, { image: { upload_id } })).status).toBe(529);
    await unpriced.close();
    const rows: unknown[] = await service.database.source.query('SELECT FROM uploads WHERE id = $1', [upload_id]);
    expect(rows).toHaveLength(1);
  });
});

test('only what was asked to be kept is in an item: nothing of the picture is echoed', async () => {
  const { caller, collection } = await customer(1);
  const answer = await caller.enroll(collection, hopper, { image: image(hopper, 'badge') });
  expect(answer.text).not.toContain('badge');
});
