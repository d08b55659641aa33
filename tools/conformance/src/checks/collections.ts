import { check, unseen } from '../check.js';
import { claim, entries, list, names, object, refusal, same, shown, status, text } from '../claims.js';
import { Collection, NOBODYS, withCollection } from './collection-calls.js';
import { GIF, PNG } from './pictures.js';
import { CAT, COLLINS, HOPPER } from './portraits.js';
import { FACES, TIMESTAMP } from './samples.js';

const COLLECTION = ['id', 'name', 'description', 'items', 'public', 'created_at'];
const ITEM = ['id', 'collection', 'reference', 'label', 'metadata', 'faces_found', 'box', 'created_at', 'usage'];
const BODY_BYTES = 26_214_400;

export const collections = [
  check(
    'contract: Uploads, collections, items',
    '`POST /v1/collections` 201; `GET /v1/collections` `{"collections": [...], "next_offset"}`; `GET`, `DELETE /v1/collections/{id}` 200, 204',
    async (probe) => {
      const call = (method: string, path: string) => probe.service.call({ method, path });
      const made = await probe.service.call({ path: '/v1/collections', json: { name: 'Conformance' } });
      status(made, 201);
      const body = object(made.json, 'the collection');
      names(body, COLLECTION, 'the collection');
      const id = text(body['id'], 'id');
      claim(/^col_[0-9a-f]{32}$/.test(id), `id is ${shown(id)}`);
      claim(TIMESTAMP.test(text(body['created_at'], 'created_at')), 'created_at is no timestamp');
      const page = object((await call('GET', '/v1/collections?limit=1')).json, 'the list');
      names(page, ['collections', 'next_offset'], 'the list');
      same(list(page['collections'], 'collections')[0], body, 'the newest collection');
      same((await call('GET', `/v1/collections/${id}`)).json, body, 'the collection read again');
      status(await call('DELETE', `/v1/collections/${id}`), 204);
      refusal(await call('GET', `/v1/collections/${id}`), 404, 'collection_not_found');
    },
  ),

  check('POST /v1/collections/{id}/items', 'Response: 201 Created with the item (see Resources).', (probe) =>
    withCollection(probe, async (collection) => {
      const item = await collection.enrolled(HOPPER, { label: 'Grace Hopper', metadata: { floor: 3, '10': 'x' } });
      names(item, ITEM, 'the item');
      claim(/^itm_[0-9a-f]{32}$/.test(text(item['id'], 'id')), `id is ${shown(item['id'])}`);
      same(
        [item['collection'], item['reference'], item['label'], item['faces_found']],
        [collection.id, 'person:1', 'Grace Hopper', 1],
        'what the item says',
      );
      names(object(item['box'], 'box'), ['x1', 'y1', 'x2', 'y2'], 'box');
      const usage = object(item['usage'], 'usage');
      const cost = object(usage['cost'], 'cost');
      same([usage['enrollments'], cost['model_usd'], cost['free_tier']], [1, 0, false], 'what it cost');
      same(cost['usd'], cost['boosters_usd'], 'the price');
    }),
  ),

  check('POST /v1/collections/{id}/items', 'The 422 `no_face` body; `image_unreadable`', (probe) =>
    withCollection(probe, async (collection) => {
      for (const [picture, type] of [
        [CAT, 'no_face'],
        [PNG, 'no_face'],
        [GIF, 'image_unreadable'],
        [HOPPER.subarray(0, 20_000), 'image_unreadable'],
      ] as const) {
        const reply = await collection.enroll(picture);
        const found = entries(reply).map(({ type: kind, loc, input }) => [kind, loc, input]);
        same(found, [[type, ['body', 'image'], 'photo']], 'detail');
        claim(reply.header('x-service-error') !== null, 'there is no x-service-error');
      }
    }),
  ),

  check(
    'POST /v1/collections/{id}/items',
    '`Idempotency-Key`: a retry with the same key, route and body gets the first answer again',
    (probe) =>
      withCollection(probe, async (collection) => {
        const key = { 'idempotency-key': `conformance ${collection.id}` };
        const first = await collection.enroll(HOPPER, {}, key);
        status(first, 201);
        const again = await collection.enroll(HOPPER, {}, key);
        same([again.status, again.text], [201, first.text], 'the second answer');
        refusal(await collection.enroll(HOPPER, { label: 'x' }, key), 409, 'idempotency_key_reused');
        for (const bad of ['x'.repeat(256), 'ä'])
          refusal(await collection.enroll(HOPPER, {}, { 'idempotency-key': bad }), 400, 'api_usage_error');
        same((await collection.search(HOPPER))[0]?.length, 1, 'the number of items');
      }),
  ),

  check('Metadata rules', 'A violation is a 422 entry of type `value_error`', (probe) =>
    withCollection(probe, async (collection) => {
      for (const [metadata, where] of [
        [{ Team: 1 }, ['Team']],
        [{ a: null }, ['a']],
        [{ a: [] }, ['a']],
        [{ a: 1e15 }, ['a']],
        [{ a: 1e-7 }, ['a']],
        [{ a: 'x'.repeat(501) }, ['a']],
        [{ a: 'x\u200b' }, ['a']],
        [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])), []],
        [Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, 'x'.repeat(400)])), []],
      ] as const) {
        const found = entries(await collection.enroll(HOPPER, { metadata })).map(({ type, loc }) => [type, loc]);
        same(found, [['value_error', ['body', 'metadata', ...where]]], `detail for ${shown(metadata)}`);
      }
    }),
  ),

  check(
    'contract: Uploads, collections, items',
    '`GET` items (`reference` filters), `PATCH`, `DELETE` an item; search finds the same person and no stranger',
    (probe) =>
      withCollection(probe, async (collection) => {
        const item = await collection.enrolled(HOPPER);
        const path = `${collection.path}/items`;
        const listed = object((await probe.service.call({ path: `${path}?reference=person:1` })).json, 'the list');
        same(listed, { items: [item], next_offset: null }, 'the items');
        same(await collection.search(HOPPER), [['person:1']], 'who was found');
        same(await collection.search(COLLINS), [[]], 'who was found for a stranger');
        same(await collection.search(CAT), [], 'the faces of a cat');
        const one = `${path}/${String(item['id'])}`;
        const changed = await probe.service.call({ method: 'PATCH', path: one, json: { reference: 'person:2' } });
        same(changed.json, { ...item, reference: 'person:2' }, 'the changed item');
        same(await collection.search(HOPPER), [['person:2']], 'who was found after the change');
        status(await probe.service.call({ method: 'DELETE', path: one }), 204);
        refusal(await probe.service.call({ method: 'DELETE', path: one }), 404, 'not_found_error');
        same(await collection.search(HOPPER), [[]], 'who was found after the item was deleted');
      }),
  ),

  check('contract: Decide', 'Response 200 also carries `evidence` when `collections` was sent', (probe) =>
    withCollection(probe, async (collection) => {
      await collection.enrolled(HOPPER, { label: 'Grace Hopper' });
      const data = (picture: Uint8Array) => Buffer.from(picture).toString('base64');
      const images = [{ id: 'door', data: data(HOPPER) }, { data: data(COLLINS) }];
      const reply = await probe.decide({ images, collections: [collection.id], questions: { faces: FACES } });
      status(reply, 200);
      const evidence = object(object(reply.json, 'the body')['evidence'], 'evidence');
      same(evidence['format'], 'svc-evidence-4', 'format');
      const found = list(evidence['images'], 'images').map((each) => {
        const { id, faces } = object(each, 'an image') as { id: unknown; faces: { matches: { label: unknown }[] }[] };
        return [id, faces.map(({ matches }) => matches.map(({ label }) => label))];
      });
      same(
        found,
        [
          ['door', [['Grace Hopper']]],
          [null, [[]]],
        ],
        'who is in the images',
      );
      refusal(
        await probe.decide({ images, collections: [NOBODYS], questions: { faces: FACES } }),
        404,
        'collection_not_found',
      );
    }),
  ),

  check('Statuses', '404 `collection_not_found`: no such collection for the workspace', (probe) =>
    withCollection(probe, async (collection) => {
      const nobodys = new Collection(probe.service, NOBODYS);
      const reply = await nobodys.enroll(HOPPER);
      refusal(reply, 404, 'collection_not_found');
      claim(reply.header('x-service-error') !== null, 'there is no x-service-error');
      refusal(await collection.as(probe.with('other')).enroll(HOPPER), 404, 'collection_not_found');
    }),
  ),

  check('Statuses', '403 `key_scope_denied`: Decisions-only key on a collections call', (probe) =>
    withCollection(probe, async (collection) => {
      refusal(await collection.as(probe.with('decisions')).enroll(HOPPER), 403, 'key_scope_denied');
    }),
  ),

  check('Statuses', '402 `insufficient_credit`: reads, edits and deletes stay open', async (probe) => {
    const broke = probe.with('withoutCredit');
    const made = await broke.call({ path: '/v1/collections', json: { name: 'Conformance' } });
    status(made, 201);
    const collection = new Collection(broke, text(object(made.json, 'the body')['id'], 'id'));
    refusal(await collection.enroll(HOPPER), 402, 'insufficient_credit');
    status(await broke.call({ path: `${collection.path}/items` }), 200);
    status(await broke.call({ method: 'DELETE', path: collection.path }), 204);
  }),

  check('Limits', 'Collection body: 26,214,400 bytes (25 MiB) | 413', (probe) =>
    withCollection(probe, async (collection) => {
      const body = ' '.repeat(BODY_BYTES + 1);
      const reply = await probe.service.call({ path: `${collection.path}/items`, body });
      refusal(reply, 413, 'request_too_large_error');
    }),
  ),

  unseen('Statuses', '409 `items_limit_reached`: workspace holds 1,000,000 items', 'it would take a million items'),
  unseen('Statuses', '403 `collection_read_only`: the collection is public', 'no public collection is known'),
  unseen('Statuses', '403 `collections_region_unavailable`', 'it takes a workspace stored elsewhere'),
  unseen('529 reasons', '529 `enrollment_unpriced`, `face_model_unavailable`', 'they depend on the deployment'),
];
