import { type OperationId, operationTable } from '@assay/contract';
import { CollectionsCaller, hopper } from '../collections/testing/caller.js';
import { decision, errorType, send } from './requests.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
/** Things that are really there, by the kind of path that names them; all belong to the first workspace. */
let things: Record<'sessions' | 'batches' | 'collections', Record<string, string>>;
let sameWorkspaceKey: string;

const idOf = ({ body }: { body: unknown }, name = 'id') => (body as Record<string, string>)[name]!;

beforeAll(async () => {
  service = await startTestService();
  const { url, key } = service;
  sameWorkspaceKey = await service.newKey(service.workspaceId);
  const questions = { urgent: { type: 'truth', instructions: 'Is it urgent?' } };
  const opening = JSON.stringify({ model: 'tiny-latest', questions });
  const line = JSON.stringify([{ custom_id: 'a', body: JSON.parse(decision()) }]);
  const headers = { 'content-type': 'application/json' };
  const faces = new CollectionsCaller(url, key);
  const collection = await faces.collection();
  const item = await faces.enrollPatiently(collection, hopper);
  things = {
    sessions: { id: idOf(await send(url, 'openSession', { key, body: opening }), 'session_id') },
    batches: { id: idOf(await send(url, 'createBatch', { key, body: line, headers })) },
    collections: { id: collection, item_id: idOf(item) },
  };
});
afterAll(() => service.close());

const kindOf = (path: string) => path.split('/')[2] as keyof typeof things;
/** Deletes last and from the inside out, so that every operation meets a thing that is there. */
const rank = ({ method, path }: { method: string; path: string }) => (method === 'DELETE' ? 1_000 - path.length : 0);
const named = Object.values(operationTable)
  .filter(({ path }) => path.includes('{'))
  .sort((a, b) => rank(a) - rank(b));

const asked = (id: OperationId, key: string) =>
  send(service.url, id, { key, params: things[kindOf(operationTable[id].path)], body: '{}' });

test.each(named.map(({ id }) => id))('%s of another workspace’s thing is a 404', async (id) => {
  const answer = await asked(id, service.otherKey);
  expect([answer.status, errorType(answer)]).toEqual([404, operationTable[id].notFound]);
});

const ofOneKey = named.filter(({ path }) => kindOf(path) !== 'collections');
test.each(ofOneKey.map(({ id }) => id))('%s of another key’s thing is a 404, even in one workspace', async (id) => {
  const answer = await asked(id, sameWorkspaceKey);
  expect([answer.status, errorType(answer)]).toEqual([404, operationTable[id].notFound]);
});

test('lists hold nothing of another workspace', async () => {
  for (const [id, field] of [
    ['listBatches', 'batches'],
    ['listCollections', 'collections'],
  ] as const) {
    const mine = (await send(service.url, id, { key: service.key })).body as Record<string, unknown[]>;
    const theirs = (await send(service.url, id, { key: service.otherKey })).body as Record<string, unknown[]>;
    expect([mine[field]?.length, theirs[field]?.length]).toEqual([1, 0]);
  }
});

test.each(named.map(({ id }) => id))('%s of the caller’s own thing is found', async (id) => {
  expect((await asked(id, service.key)).status).not.toBe(404);
});
