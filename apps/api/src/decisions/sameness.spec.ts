import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBundles } from '../../../../packages/inference/src/bundle/registry.js';
import { writeTinyBundle } from '../../../../packages/inference/src/testing/tiny-bundle.js';
import { type Service, startService } from '../boot/service.js';
import { loadConfig } from '../config/load.js';
import { openTestDatabase, type TestDatabase } from '../storage/testing/test-database.js';
import { createLog } from '../telemetry/log.js';
import { mixedRequests, oneByOne, reordered, written } from './testing/mixed-requests.js';

/** A figure of 1,000 is the promise of the specification; fewer notice it when it breaks. */
const REQUESTS = Number(process.env['ASSAY_SAMENESS_REQUESTS'] ?? 60);
const REORDERED = Math.ceil(REQUESTS / 6);
const AT_ONCE = 32;
const MINUTES = 60_000 * Math.max(5, REQUESTS / 10);

let folder: string;
let database: TestDatabase;
let service: Service;
let key: string | undefined;
let model: string;
const requests = mixedRequests(41, REQUESTS);

async function start(): Promise<Service> {
  const shipped = join(import.meta.dirname, '../../../../packages/models');
  const installed = (await findBundles([shipped])).length > 0;
  const started = await startService(
    loadConfig({
      ASSAY_PORT: '0',
      ASSAY_DATA_DIR: folder,
      ASSAY_MODELS_DIR: installed ? shipped : join(folder, 'models'),
      ASSAY_DATABASE_URL: database.url,
      ASSAY_REQUESTS_PER_MINUTE: '1000000',
      ASSAY_REQUEST_TIMEOUT_SECONDS: '600',
    }),
    createLog('silent'),
  );
  key ??= started.firstKey;
  model = started.model!;
  return started;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-sameness-'));
  writeTinyBundle(join(folder, 'models'));
  database = await openTestDatabase();
  service = await start();
}, MINUTES);
afterAll(async () => {
  await service.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

/** The bytes of `answers` in the body. */
async function answers(request: object): Promise<string> {
  const body = written({ model, ...request });
  const response = await fetch(`${service.url}/v1/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text} to ${body.slice(0, 500)}`);
  return text.slice(text.indexOf('"answers":'), text.lastIndexOf(',"usage":'));
}

async function inCompany(asked: readonly object[]): Promise<string[]> {
  const told: string[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE)
    told.push(...(await Promise.all(asked.slice(from, from + AT_ONCE).map(answers))));
  return told;
}

test(
  `${REQUESTS} mixed requests: the same bytes alone, ${AT_ONCE} at a time, and in reverse after a restart`,
  async () => {
    const alone: string[] = [];
    for (const request of requests) alone.push(await answers(request));
    expect(new Set(alone).size).toBeGreaterThan(REQUESTS * 0.9);

    expect(await inCompany(requests)).toEqual(alone);
    await service.close();
    service = await start();
    expect((await inCompany(requests.toReversed())).toReversed()).toEqual(alone);
  },
  MINUTES,
);

type Answer = Record<string, unknown> & { probabilities?: Record<string, number> };

/** The answers by question; the order of the probabilities follows the order of the options, which is not compared. */
function byQuestion(text: string): Record<string, unknown> {
  const { answers: told } = JSON.parse(`{${text}}`) as { answers: Record<string, Answer> };
  return Object.fromEntries(
    Object.entries(told).map(([name, { probabilities, ...answer }]) => [
      `question ${name}`,
      [answer, Object.entries(probabilities ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))],
    ]),
  );
}

test(
  'options in any order, questions in any order and company: the same answer to each',
  async () => {
    for (const [at, request] of mixedRequests(43, REORDERED).entries()) {
      const together = byQuestion(await answers(request));
      expect(byQuestion(await answers(reordered(request, at)))).toEqual(together);
      for (const [name, only] of oneByOne(request))
        expect(byQuestion(await answers(only))[`question ${name}`]).toEqual(together[`question ${name}`]);
    }
  },
  MINUTES,
);
