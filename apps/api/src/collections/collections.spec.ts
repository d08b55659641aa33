import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { CollectionStore } from '../faces/collection-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { CollectionsCaller, cat, collins, hopper, image } from './testing/caller.js';

jest.setTimeout(120_000);

let service: TestService;
let second: TestService;
let caller: CollectionsCaller;
beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({}, service);
  caller = new CollectionsCaller(service.url, service.key);
});
afterAll(async () => {
  await second.close();
  await service.close();
});

test('a collection is made, listed newest first, read and deleted', async () => {
  const made = await caller.call<{ id: string }>('POST', '/collections', {
    name: 'Staff',
    description: 'with a badge',
  });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^col_[0-9a-f]{32}$/),
    name: 'Staff',
    description: 'with a badge',
    items: 0,
    public: false,
    created_at: expect.stringMatching(/Z$/),
  });
  const { id } = made.body;
  const later = await caller.collection('Guests');
  const list = await caller.call<{ collections: { id: string }[]; next_offset: number }>('GET', '/collections?limit=2');
  expect(list.body.collections.map((each) => each.id)).toEqual([later, id]);
  expect((await caller.call('GET', `/collections/${id}`)).body).toEqual(made.body);
  expect((await caller.call('DELETE', `/collections/${id}`)).status).toBe(204);
  const gone = await caller.call('GET', `/collections/${id}`);
  expect([gone.status, gone.headers.get('x-service-error')]).toEqual([404, 'No such collection.']);
});

test('an enrolled face is an item that can be listed, changed, found and deleted', async () => {
  const id = await caller.collection();
  const enrolled = await caller.enroll(id, hopper, {
    label: 'Grace Hopper',
    metadata: { '10': 1, __proto_: 2, a: 'x' },
  });
  expect(enrolled.status).toBe(201);
  expect(enrolled.body).toEqual({
    id: expect.stringMatching(/^itm_[0-9a-f]{32}$/),
    collection: id,
    reference: 'staff:1',
    label: 'Grace Hopper',
    metadata: { '10': 1, __proto_: 2, a: 'x' },
    faces_found: 1,
    box: { x1: expect.any(Number), y1: expect.any(Number), x2: expect.any(Number), y2: expect.any(Number) },
    created_at: expect.stringMatching(/Z$/),
    usage: { enrollments: 1, cost: { usd: 0.001, boosters_usd: 0.001, model_usd: 0, free_tier: false } },
  });
  const other = await caller.enroll(id, collins, { reference: 'staff:2' });
  const listed = (query: string) => caller.call<{ items: { id: string }[] }>('GET', `/collections/${id}/items${query}`);
  expect((await listed('')).body.items).toEqual([other.body, enrolled.body]);
  expect((await listed('?reference=staff:1')).body).toEqual({ items: [enrolled.body], next_offset: null });
  expect((await listed('?limit=1')).body).toMatchObject({ items: [other.body], next_offset: 1 });

  const path = `/collections/${id}/items/${enrolled.body.id}`;
  const changed = await caller.call('PATCH', path, { label: null, metadata: { floor: 3 } });
  expect(changed.body).toEqual({ ...enrolled.body, label: null, metadata: { floor: 3 } });
  const { body } = await caller.search(id, hopper);
  expect(body.faces).toMatchObject([
    { matches: [{ item: enrolled.body.id, label: null, metadata: { floor: 3 }, similarity: 1 }] },
  ]);
  expect((await caller.call('DELETE', path)).status).toBe(204);
  expect((await caller.call('DELETE', path)).status).toBe(404);
  expect((await caller.call('PATCH', path, { label: 'x' })).status).toBe(404);
  expect((await caller.call<{ items: number }>('GET', `/collections/${id}`)).body.items).toBe(1);
  const rows: unknown[] = await service.database.source.query('SELECT FROM face_items WHERE id = $1', [
    enrolled.body.id,
  ]);
  expect(rows).toEqual([]);
});

test('the same person is found, a stranger is nobody, and a picture without faces has none', async () => {
  const id = await caller.collection();
  await caller.enroll(id, hopper);
  expect(await caller.who(id, hopper)).toEqual([['staff:1']]);
  expect(await caller.who(id, collins)).toEqual([[]]);
  expect(await caller.who(id, cat)).toEqual([]);
  const all = await caller.search(id, collins, { threshold: 0 });
  expect(all.body.faces[0]?.matches[0]?.similarity).toBeLessThan(0.1);
});

test('what one process enrolls the other finds at once, and what one deletes the other never finds again', async () => {
  const there = new CollectionsCaller(second.url, service.key);
  const id = await caller.collection();
  expect(await there.who(id, hopper)).toEqual([[]]);
  for (let round = 0; round < 3; round++) {
    const { body } = await caller.enroll(id, hopper, { reference: `round:${round}` });
    expect(await there.who(id, hopper)).toEqual([[`round:${round}`]]);
    await there.call('DELETE', `/collections/${id}/items/${body.id}`);
    expect(await caller.who(id, hopper)).toEqual([[]]);
    expect(await there.who(id, hopper)).toEqual([[]]);
  }
});

test('a public collection is read by everyone, without its metadata, and changed by nobody', async () => {
  const id = await caller.collection('Astronauts');
  const { body } = await caller.enroll(id, collins, { metadata: { secret: true } });
  await new CollectionStore(service.database.source, () => new Date()).publish(service.workspaceId, id, 'astronauts');
  const stranger = new CollectionsCaller(service.url, service.otherKey);
  expect((await stranger.call('GET', '/collections/astronauts')).body).toMatchObject({
    id: 'astronauts',
    public: true,
  });
  const { faces } = (await stranger.search('astronauts', collins)).body;
  expect(faces[0]?.matches).toMatchObject([{ collection: 'astronauts', item: body.id }]);
  expect(faces[0]?.matches[0]).not.toHaveProperty('metadata');
  for (const refused of [
    await caller.enroll('astronauts', hopper),
    await caller.call('PATCH', `/collections/astronauts/items/${body.id}`, { label: 'x' }),
    await caller.call('DELETE', `/collections/astronauts/items/${body.id}`),
    await caller.call('DELETE', '/collections/astronauts'),
  ])
    expect([refused.status, refused.headers.get('x-service-error')]).toEqual([
      403,
      'This collection is public and read-only.',
    ]);
});

test("another workspace's collection does not exist", async () => {
  const id = await caller.collection();
  const { body } = await caller.enroll(id, hopper);
  const stranger = new CollectionsCaller(service.url, service.otherKey);
  for (const answer of [
    await stranger.call('GET', `/collections/${id}`),
    await stranger.call('DELETE', `/collections/${id}`),
    await stranger.enroll(id, hopper),
    await stranger.search(id, hopper),
    await stranger.call('PATCH', `/collections/${id}/items/${body.id}`, { label: 'x' }),
  ])
    expect([answer.status, (answer.body as { detail: object }).detail]).toMatchObject([
      404,
      { error_type: 'collection_not_found' },
    ]);
});

test('evidence: who is in a picture is part of what a decision is answered on, and comes back with it', async () => {
  const id = await caller.collection();
  await caller.enroll(id, hopper, { label: 'Grace Hopper', metadata: { floor: 3 } });
  const decide = (collections: string[]) =>
    caller.call<{ evidence: { format: string; images: { id: string | null; faces: { matches: object[] }[] }[] } }>(
      'POST',
      '/decide',
      {
        model: 'tiny-latest',
        images: [image(hopper, 'door'), image(collins)],
        collections,
        questions: { known: { type: 'truth', instructions: 'Is this someone we know?' } },
      },
    );
  const { status, body } = await decide([id]);
  expect(status).toBe(200);
  expect(body.evidence).toMatchObject({
    format: 'svc-evidence-4',
    images: [
      { id: 'door', faces: [{ matches: [{ collection: id, label: 'Grace Hopper', metadata: { floor: 3 } }] }] },
      { id: null, faces: [{ matches: [] }] },
    ],
  });
  const empty = await decide([await caller.collection()]);
  expect(empty.body.evidence.images.map(({ faces }) => faces.map(({ matches }) => matches))).toEqual([[[]], [[]]]);
  expect(Number(empty.headers.get('x-service-image-tokens'))).toBeGreaterThan(0);
  expect((await decide([id, `col_${'0'.repeat(32)}`])).status).toBe(404);
});
