import { NotApplicable } from '../check.js';
import type { Probe } from '../probe.js';
import { isObject, type Reply } from '../wire/reply.js';
import { base64, PNG } from './pictures.js';
import { FACES, STATE } from './samples.js';

const message = (reply: Reply): string => (isObject(reply.detail) ? String(reply.detail['message']) : reply.text);

/** The reply, unless the service says that it does not have this surface: then its statements are about nothing. */
export function served(reply: Reply): Reply {
  if (reply.status === 529 && /does not serve/.test(message(reply))) throw new NotApplicable(message(reply));
  return reply;
}

/** Ends the check when a good picture is refused because no installed model reads pictures. */
export async function picturesAreRead(probe: Probe): Promise<void> {
  const images = [{ id: 'good', data: base64(PNG) }];
  const reply = await probe.decide({ state: STATE, images, questions: { q: FACES } });
  if (reply.status === 400 && /No installed model/.test(message(reply))) throw new NotApplicable(message(reply));
}
