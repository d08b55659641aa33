/**
 * Follows a log file and says live what its lines are about.
 *
 *   npm run build
 *   ASSAY_KEY=asy_live_… node packages/client/examples/watch-log.ts /var/log/app.log [http://127.0.0.1:8080]
 */
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Assay, type FrameReply, type RefusedFrame, SessionEndedError } from '@assay/client';

const [file, baseUrl = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const apiKey = process.env['ASSAY_KEY'];
if (!file || !apiKey) {
  console.error('Usage: ASSAY_KEY=<key> node watch-log.ts <log file> [address of the service]');
  process.exit(2);
}

const LOOK_MS = 200;
const FRAME_CHARACTERS = 4_000;

/** The lines that are added to a file from now on, as many as came together in one piece. */
async function* added(path: string, signal: AbortSignal): AsyncGenerator<string> {
  await using handle = await open(path);
  let position = (await handle.stat()).size;
  let rest = '';
  while (!signal.aborted) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, position);
    position += bytesRead;
    const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines.join('\n').slice(-FRAME_CHARACTERS);
    else await sleep(LOOK_MS);
  }
}

function told(reply: FrameReply | RefusedFrame): string {
  if ('error' in reply) return `#${reply.seq} not answered: ${reply.error.message}`;
  const answers = Object.entries(reply.answers).map(([name, answer]) => {
    if (answer.type === 'truth') return `${name} ${answer.truth}`;
    if (answer.type === 'choice') return `${name} ${answer.choice} (${answer.confidence})`;
    return `${name} ${answer.type === 'score' ? answer.score : answer.number}`;
  });
  const passedOver = reply.skipped.length > 0 ? `, ${reply.skipped.length} passed over` : '';
  return `#${reply.seq} ${answers.join(', ')}   ${reply.latency_ms} ms${passedOver}`;
}

const assay = new Assay({ baseUrl, apiKey });
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());

const session = await assay.sessions.open({
  model: 'assay-flash-latest',
  instructions: 'You watch the log of a service for its operator.',
  questions: {
    failing: { type: 'truth', instructions: 'Is something failing?' },
    about: {
      type: 'choice',
      instructions: 'What are these lines about?',
      criteria: { requests: 'calls of users', database: null, start_or_stop: null, other: null },
    },
    urgency: { type: 'score', instructions: 'How soon should somebody look at it?' },
  },
  window: 4,
  ttl_seconds: 3_600,
});
console.log(`${session.session.model} watches ${file}; stop with Ctrl-C`);

const printing = (async () => {
  for await (const reply of session) console.log(told(reply));
})();

try {
  for await (const lines of added(file, stopping.signal)) await session.send(lines);
  const { frames, usage } = await session.end();
  await printing;
  console.log(`${frames} frames answered, ${usage.input_tokens} input tokens`);
} catch (error) {
  if (!(error instanceof SessionEndedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
