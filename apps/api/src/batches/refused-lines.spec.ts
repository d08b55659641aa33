import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from '@assay/contract';
import { READING } from '../safety/reading.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { BatchCaller, line, lines } from './testing/caller.js';
import { inconsistencies } from './testing/consistency.js';

const MODEL = 'tiny-1.0';
/** The tiny model's states have 64 numbers, and a reading is two of them: this fit takes every request for one that asks for harm. */
const NOTHING = Array.from({ length: 128 }, () => 0);
const SUSPICIOUS = {
  bundle: MODEL,
  reading: READING,
  harm: { weights: NOTHING, bias: 2, threshold: 0.5 },
  self_harm: { weights: NOTHING, bias: -4, threshold: 0.5 },
};

let folder: string;
let service: TestService;
let caller: BatchCaller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-refused-'));
  await mkdir(join(folder, MODEL));
  await writeFile(join(folder, MODEL, 'safety.json'), JSON.stringify(SUSPICIOUS));
  service = await startTestService({ ASSAY_SAFETY: 'enforce', ASSAY_MODELS_DIR: folder });
  caller = new BatchCaller(service.url, service.key);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

test('what the safety check and the picture check refuse live, they refuse in a line, with the same headers', async () => {
  const questions = { q: { type: 'truth', instructions: 'Is someone in the picture?' } };
  const bodies = [
    { model: MODEL, state: 'a private matter', questions },
    { model: MODEL, images: [{ data: 'bm8gcGljdHVyZQ==' }], questions },
    { model: MODEL, images: [{ upload_id: `upl_${'0'.repeat(32)}` }], questions },
    { model: MODEL, state: 'x', images: [{ url: 'http://127.0.0.1/secret.png' }], questions },
  ];
  const { id } = await caller.queue(lines(...bodies.map((body, at) => line(`${at}`, body))));
  const ended = await caller.ended(id);
  expect(ended).toMatchObject({
    state: 'completed',
    counters: { completed: 0, failed: 4 },
    usage: { input_tokens: 0 },
  });
  const found = (await caller.results(id)).text
    .trimEnd()
    .split('\n')
    .map((each) => parse(each) as { status: number; body: unknown; headers: Record<string, string> });
  expect(found.map(({ status }) => status)).toEqual([403, 400, 400, 400]);
  expect(found[0]!.headers).toMatchObject({ 'x-service-refusal': 'harm', 'x-service-billable-tokens': '0' });
  for (const [at, body] of bodies.entries()) {
    const live = await caller.decide(body);
    const { status, body: given, headers } = found[at]!;
    expect([status, stringify(given)]).toEqual([live.status, live.text]);
    const wanted = [...live.headers].filter(([name]) => name.startsWith('x-service-'));
    expect(headers).toEqual({ 'x-request-id': expect.stringMatching(/^req_/), ...Object.fromEntries(wanted) });
  }
  expect(await inconsistencies(service.database.source)).toEqual([]);
});
