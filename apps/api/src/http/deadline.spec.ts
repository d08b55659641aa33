import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { firstValueFrom, NEVER, of } from 'rxjs';
import { openContext } from './context.js';
import { withDeadline } from './deadline.js';
import { Refusal } from './refusal.js';

const context = () => {
  const request = new IncomingMessage(new Socket());
  return openContext(request, new ServerResponse(request));
};

test('an answer in time is passed on, and the deadline is forgotten', async () => {
  const call = context();
  await expect(firstValueFrom(withDeadline(of(7), 10, call))).resolves.toBe(7);
  await new Promise((done) => setTimeout(done, 30));
  expect(call.signal.aborted).toBe(false);
});

test('a late one is given up: its work is told to stop, the caller to come back', async () => {
  const call = context();
  const answer = firstValueFrom(withDeadline(NEVER, 10, call));
  await expect(answer).rejects.toBeInstanceOf(Refusal);
  await expect(answer).rejects.toMatchObject({ type: 'overloaded_error' });
  expect(call.signal.reason).toBe('timeout');
});
