import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import { startTestService, type TestService } from '../walks/test-service.js';
import type { FittedSafety } from './fitted.js';
import { READING } from './reading.js';

/** The tiny model's states have 64 numbers, and a reading is two of them. */
const NOTHING = Array.from({ length: 128 }, () => 0);

/** A fit that takes every request for one that asks for harm, so that what follows from it can be seen. */
const SUSPICIOUS: FittedSafety = {
  bundle: 'tiny-1.0',
  reading: READING,
  harm: { weights: NOTHING, bias: 2, threshold: 0.5 },
  self_harm: { weights: NOTHING, bias: -4, threshold: 0.5 },
};

const REQUEST = {
  model: 'tiny-1.0',
  state: 'a private matter',
  questions: { q: { type: 'truth', instructions: 'Is it a secret?' } },
};

describe('the safety check over HTTP', () => {
  let folder: string;
  let service: TestService | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'safety-'));
    await mkdir(join(folder, 'tiny-1.0'));
    await writeFile(join(folder, 'tiny-1.0', 'safety.json'), JSON.stringify(SUSPICIOUS));
  });
  afterEach(() => service?.close());
  afterAll(() => rm(folder, { recursive: true }));

  async function decided(mode: string): Promise<{ service: TestService; response: Response; body: unknown }> {
    service = await startTestService({ ASSAY_SAFETY: mode, ASSAY_MODELS_DIR: folder });
    const response = await fetch(`${service.url}/v1/decide`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(REQUEST),
    });
    return { service, response, body: await response.json() };
  }

  const charged = async ({ database, workspaceId }: TestService) =>
    (await new PostgresCreditStore(database.source).entries(workspaceId, { offset: 0, limit: 10 })).length;

  it('shadow: flags in the log without content, and answers', async () => {
    const { service, response, body } = await decided('shadow');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-service-safety')).toBe('harm=0.88, self_harm=0.02');
    expect(body).toHaveProperty('answers.q.truth');
    const flags = service.logged.filter((line) => line.includes('flagged by the safety check'));
    expect(flags.map((line) => JSON.parse(line))).toMatchObject([
      { requestId: response.headers.get('x-request-id'), model: 'tiny-1.0', category: 'harm', refused: false },
    ]);
    expect(service.logged.join('')).not.toMatch(/private matter|secret\?/);
    expect(await charged(service)).toBe(1);
  });

  it('enforce: refuses with the category, and charges nothing', async () => {
    const { service, response, body } = await decided('enforce');
    expect(response.status).toBe(403);
    expect(body).toEqual({ detail: { error_type: 'safety_refusal', message: expect.stringContaining('harm') } });
    expect(response.headers.get('x-service-refusal')).toBe('harm');
    expect(response.headers.get('x-service-billable-tokens')).toBe('0');
    expect(response.headers.get('x-service-safety')).toBe('harm=0.88, self_harm=0.02');
    expect(await charged(service)).toBe(0);
  });

  it('off: answers, and says nothing of safety', async () => {
    const { service, response } = await decided('off');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-service-safety')).toBeNull();
    expect(service.logged.some((line) => line.includes('flagged'))).toBe(false);
  });
});
