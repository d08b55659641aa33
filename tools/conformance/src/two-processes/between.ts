import { check } from '../check.js';
import { PNG } from '../checks/pictures.js';
import { ALL_TYPES, FACES, STATE, TRUTH } from '../checks/samples.js';
import { picturesAreRead, served } from '../checks/served.js';
import { claim, object, same, status, text } from '../claims.js';
import { answersOf, type Probe } from '../probe.js';
import type { Surface } from '../run.js';

const LINES = 'application/x-ndjson';
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

/** What callers may expect of a deployment whichever process they happen to reach; the checks are run at the other one. */
export function between(baseUrl: string): Surface {
  const elsewhere = (probe: Probe) => probe.service.at(baseUrl);

  const checks = [
    check('deployment', 'The same request gets the same bytes from both processes.', async (probe) => {
      const { id } = await probe.model();
      const json = { model: id, state: STATE, questions: ALL_TYPES };
      const here = await probe.service.call({ path: '/v1/decide', json });
      answersOf(here, ALL_TYPES);
      same((await elsewhere(probe).call({ path: '/v1/decide', json })).text, here.text, 'the body of the other');
    }),

    check('deployment', 'An upload made at one process is used at the other.', async (probe) => {
      await picturesAreRead(probe);
      const headers = { 'content-type': 'image/png' };
      const made = served(await elsewhere(probe).call({ path: '/v1/uploads', body: PNG, headers }));
      const upload_id = object(made.json, 'the body')['upload_id'];
      await probe.answers({ state: STATE, images: [{ id: 'one', upload_id }], questions: { faces: FACES } });
    }),

    check('deployment', 'A batch made at one process is started, followed and read at the other.', async (probe) => {
      const body = { model: (await probe.model()).id, state: STATE, questions: { q: TRUTH } };
      const lines = ['a', 'b', 'c'].map((custom_id) => JSON.stringify({ custom_id, body })).join('\n');
      const headers = { 'content-type': LINES };
      const draft = served(await elsewhere(probe).call({ path: '/v1/batches', body: lines, headers }));
      status(draft, 201);
      const path = `/v1/batches/${text(object(draft.json, 'the batch')['id'], 'id')}`;
      status(await probe.service.call({ method: 'POST', path: `${path}/finalize` }), 200);
      for (const until = Date.now() + PATIENCE_MS; ; ) {
        const batch = object((await probe.service.call({ path })).json, 'the batch');
        if (batch['ended_at'] !== null) break;
        claim(Date.now() < until, 'the batch does not end');
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      const here = await probe.service.call({ path: `${path}/results` });
      status(here, 200);
      same(here.text.trim().split('\n').length, 3, 'the number of results');
      same((await elsewhere(probe).call({ path: `${path}/results` })).text, here.text, 'the results at the other');
    }),
  ];
  return { name: 'between the processes', checks };
}
