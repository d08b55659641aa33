import { asyncapiDocument, validators } from '@assay/contract';
import { jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type Schema, spoilt, valuesOf } from '../walks/arbitrary.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import { SessionKeeper } from './session-keeper.js';
import { Caller, QUESTIONS, type Reply, type Stream } from './testing/caller.js';

jest.setTimeout(1_800_000);

const SEED = 20261120;
const MESSAGES = Number(process.env['SEEDED_MESSAGES'] ?? 1_000);
const GARBAGE = 4400;

const document = structuredClone(asyncapiDocument) as {
  components: { schemas: Record<string, Schema & { discriminator?: { mapping?: unknown } }> };
};
// ajv takes a discriminator without its mapping only.
for (const { discriminator } of Object.values(document.components.schemas)) delete discriminator?.mapping;
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'stream', components: document.components });
const schema = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const fits = (name: string, value: unknown) => ajv.getSchema(`stream#/components/schemas/${name}`)?.(value) === true;
const resolve = (ref: string): Schema => document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)]!;

const known = fc.subarray(Object.keys(QUESTIONS), { minLength: 1 });
const frames = valuesOf(schema('Frame'), resolve);
const asked = fc.tuple(frames, known).map(([frame, questions]) => ({ ...(frame as object), questions }));
const allAsked = frames.map((frame) => {
  const { questions: _, ...rest } = frame as { questions?: unknown };
  return rest;
});
const pictures = fc
  .tuple(fc.nat(), valuesOf(schema('ImageFrame'), resolve))
  .map(([seq, frame]): unknown => ({ seq, frame }));
const messages: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: allAsked, weight: 4 },
  { arbitrary: asked, weight: 3 },
  { arbitrary: frames, weight: 1 },
  { arbitrary: pictures, weight: 1 },
  { arbitrary: spoilt(allAsked), weight: 4 },
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
);

let service: TestService;
let caller: Caller;
let stream: Stream | undefined;
beforeAll(async () => {
  service = await startTestService();
  caller = new Caller(service, service.key);
});
afterAll(() => service.close());

const opened = async (): Promise<Stream> => caller.stream((await caller.open({ window: 3 })).session_id);

/** The reply, or the code that the socket was closed with. */
async function tell(message: string): Promise<Reply | number> {
  stream ??= await opened();
  const { closed } = stream;
  stream.send(message);
  const reply = stream.next();
  const outcome = await Promise.race([reply.catch(() => closed), closed]);
  if ('seq' in outcome) return outcome;
  stream = undefined;
  return outcome.code;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of a picture has no names but these; with any other it is read like a state. */
const isPicturePart =
  (frame: Record<string, unknown>) =>
  (name: string): boolean =>
    name === 'image' || (name === 'collections' && Array.isArray(frame[name]));

/** A frame that can be answered: text or an object, no picture, about questions that the session has. */
function isAnswerable(message: unknown): boolean {
  if (!fits('Frame', message) || !isObject(message)) return false;
  const { frame, questions } = message as { frame: unknown; questions?: string[] };
  const isPicture = isObject(frame) && isObject(frame['image']) && Object.keys(frame).every(isPicturePart(frame));
  return !isPicture && (questions ?? []).every((name) => Object.hasOwn(QUESTIONS, name));
}

test(`${MESSAGES} seeded messages: whatever can be answered is, whatever has a seq is told, the rest is closed`, async () => {
  const outcomes = { answered: 0, refused: 0, closed: 0 };
  const check = fc.asyncProperty(messages, async (message) => {
    const outcome = await tell(JSON.stringify(message) ?? 'null');
    const named = isObject(message) && fits('FrameSeq', message['seq']);
    if (typeof outcome === 'number') {
      outcomes.closed += 1;
      if (named || outcome !== GARBAGE) throw new Error(`closed with ${outcome}`);
      return;
    }
    if (!named || outcome.seq !== message['seq']) throw new Error(`a reply to ${outcome.seq}`);
    const shape = outcome.error ? validators.zFrameErrorReply : validators.zFrameReply;
    shape.parse(outcome);
    if (isAnswerable(message) !== (outcome.error === undefined)) throw new Error(JSON.stringify(outcome).slice(0, 300));
    if (outcome.error && outcome.error.status >= 500) throw new Error(JSON.stringify(outcome.error));
    outcomes[outcome.error ? 'refused' : 'answered'] += 1;
  });
  await fc.assert(check, { seed: SEED, numRuns: MESSAGES, endOnFailure: true });
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(MESSAGES / 50);
});

test.each([
  '',
  'null',
  '{',
  '{"seq":1,"seq":2,"frame":"x"}',
  '{"seq":1.5,"frame":"x"}',
  '{"seq":-1,"frame":"x"}',
  `${'['.repeat(100)}`,
])('the text %j is closed as garbage', async (text) => {
  expect(await tell(text)).toBe(GARBAGE);
});

test('no session is left, and nothing was logged as a fault', async () => {
  stream?.socket.close();
  await stream?.closed;
  const { sessions } = service.app.get(SessionKeeper);
  while (sessions.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(service.models.memory.bytes).toBe(0);
  expect(service.logged.filter((line) => line.includes('"fault"'))).toEqual([]);
});
