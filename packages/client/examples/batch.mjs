// Answers every line of a text file in one batch, at half the live price, with a progress bar.
//
//   ASSAY_KEY=asy_live_… node packages/client/examples/batch.mjs messages.txt > answers.ndjson
//
// Stopped half-way, it says how to go on: ASSAY_BATCH=batch_… with the same file.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Assay } from '@assay/client';

const {
  ASSAY_KEY: apiKey,
  ASSAY_URL: baseUrl = 'http://127.0.0.1:8080',
  ASSAY_MODEL: model = 'assay-latest',
} = process.env;
const file = process.argv[2];
if (!apiKey || !file) {
  console.error('Usage: ASSAY_KEY=asy_live_… node packages/client/examples/batch.mjs <file with one message per line>');
  process.exit(2);
}

async function* requests() {
  let number = 0;
  for await (const message of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (message.trim() === '') continue;
    yield {
      custom_id: `line-${number}`,
      body: {
        model,
        state: message,
        questions: {
          urgent: { type: 'truth', instructions: 'Does this message need an answer today?' },
          topic: { type: 'choice', criteria: { order: null, payment: null, complaint: null, other: null } },
        },
      },
    };
  }
}

const WIDTH = 40;
let id = process.env.ASSAY_BATCH;

function showProgress({ id: batchId, state, counters }) {
  id = batchId;
  const { requests: all, completed, failed, expired, cancelled } = counters;
  const done = completed + failed + expired + cancelled;
  const filled = Math.round((WIDTH * done) / Math.max(1, all));
  const bar = '█'.repeat(filled).padEnd(WIDTH, '░');
  process.stderr.write(`\r${bar} ${done}/${all} ${state}${failed ? `, ${failed} failed` : ''}   `);
}

process.on('SIGINT', () => {
  process.stderr.write(`\n${id ? `Go on with ASSAY_BATCH=${id} and the same file.` : 'Nothing was uploaded.'}\n`);
  process.exit(130);
});

const assay = new Assay({ baseUrl, apiKey });
for await (const result of assay.batches.run(requests(), { onProgress: showProgress, ...(id && { id }) }))
  process.stdout.write(`${JSON.stringify(result)}\n`);
process.stderr.write('\n');
