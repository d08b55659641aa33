import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { loadConfig } from '../config/load.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { createLog } from '../telemetry/log.js';
import { CannotStart } from './listen.js';
import { type Service, startService } from './service.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'assay-boot-'));
  writeTinyBundle(join(folder, 'models'));
});
afterAll(() => database.close());

const start = (env: NodeJS.ProcessEnv = {}): Promise<Service> =>
  startService(
    loadConfig({
      ASSAY_PORT: '0',
      ASSAY_DATA_DIR: folder,
      ASSAY_MODELS_DIR: join(folder, 'models'),
      ASSAY_DATABASE_URL: database.url,
      ...env,
    }),
    createLog('silent'),
  );

const decide = (service: Service, state: string) =>
  fetch(`${service.url}/v1/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.firstKey}` },
    body: JSON.stringify({ model: service.model, state, questions: { q: { type: 'truth' } } }),
  });

test('the first start makes a key that works; stopping answers what is in flight and takes nothing new', async () => {
  const service = await start();
  expect(service).toMatchObject({ firstKey: expect.stringMatching(/^asy_live_/), model: 'tiny-latest' });
  const answered = await decide(service, 'hello');
  expect(answered.status).toBe(200);
  await answered.json();

  const inFlight = decide(service, 'a '.repeat(10_000));
  await new Promise((done) => setTimeout(done, 100));
  const closed = service.close();
  expect((await inFlight).status).toBe(200);
  await closed;
  await expect(decide(service, 'too late')).rejects.toThrow();

  const again = await start();
  expect(again.firstKey).toBeUndefined();
  await again.close();
});

test('a taken port is explained, and nothing stays open', async () => {
  const service = await start();
  const port = new URL(service.url).port;
  await expect(start({ ASSAY_PORT: port })).rejects.toThrow(CannotStart);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await service.close();
});
