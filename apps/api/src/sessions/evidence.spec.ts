import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startTestService, type TestService } from '../walks/test-service.js';
import { answersIn, Caller } from './testing/caller.js';

jest.setTimeout(120_000);

const fixtures = join(import.meta.dirname, '../../../../packages/vision/fixtures');
const image = (name: string) => ({ id: 'door', data: readFileSync(join(fixtures, name)).toString('base64') });
const hopper = image('grace-hopper.jpg');
const questions = { known: { type: 'truth', instructions: 'Is this someone we know?' } };

let service: TestService;
let caller: Caller;
let collection: string;
beforeAll(async () => {
  service = await startTestService();
  caller = new Caller(service, service.key);
  collection = ((await (await caller.post('/v1/collections', { name: 'Staff' })).json()) as { id: string }).id;
  const words = { image: hopper, reference: 'staff:1', label: 'Grace Hopper' };
  expect((await caller.post(`/v1/collections/${collection}/items`, words)).status).toBe(201);
});
afterAll(() => service.close());

test('who is in an image frame is part of what it is answered on, as in a decision, and comes back with it', async () => {
  const { session_id } = await caller.open({ questions });
  const stream = await caller.stream(session_id);
  const collections = [collection];
  const told = await stream.askText({ seq: 1, frame: { image: hopper, collections } });
  expect(JSON.parse(told)).toMatchObject({
    evidence: {
      format: 'svc-evidence-4',
      images: [{ id: 'door', faces: [{ matches: [{ collection, label: 'Grace Hopper', similarity: 1 }] }] }],
    },
  });
  expect(answersIn(told)).toBe(await caller.decide({ questions, images: [hopper], collections }));
  const stranger = await stream.ask({
    seq: 2,
    frame: { image: image('eileen-collins.jpg'), collections },
    reset: true,
  });
  expect(stranger).toMatchObject({ evidence: { images: [{ faces: [{ matches: [] }] }] } });
});

test('without collections who it is cannot be asked, and unknown ones are not found; the session goes on', async () => {
  const { session_id } = await caller.open({
    questions: { ...questions, faces: { type: 'number', instructions: 'How many faces are there?', min: 0, max: 5 } },
  });
  const stream = await caller.stream(session_id);
  expect((await stream.ask({ seq: 1, frame: { image: hopper } })).error).toMatchObject({ status: 400 });
  const nobodys = [`col_${'0'.repeat(32)}`];
  const unknown = await stream.ask({ seq: 2, frame: { image: hopper, collections: nobodys } });
  expect(unknown.error).toMatchObject({ status: 404, detail: { error_type: 'collection_not_found' } });
  const many = await stream.ask({ seq: 3, frame: { image: hopper, collections: Array(9).fill(collection) } });
  expect(many.error).toMatchObject({ status: 400 });
  const plain = await stream.ask({ seq: 4, frame: { image: hopper }, questions: ['faces'] });
  expect(plain.answers).toHaveProperty('faces');
  expect(plain).not.toHaveProperty('evidence');
});
