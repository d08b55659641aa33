import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { check, NotApplicable } from '../check.js';
import { refusal } from '../claims.js';
import { Reply } from '../wire/reply.js';

/** Announces a body and never finishes it, until the service answers. */
function unfinished(url: URL, key: string): Promise<Reply> {
  const open = url.protocol === 'https:' ? secureRequest : request;
  return new Promise((resolve, reject) => {
    const call = open(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': '1000' },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const headers = new Headers(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
        );
        resolve(new Reply(response.statusCode ?? 0, headers, Buffer.concat(chunks).toString('utf8')));
        call.destroy();
      });
    });
    call.write('{"model":');
  });
}

export const waiting = [
  check('Statuses', '408 `request_timeout_error`: body did not arrive in time', async (probe) => {
    if (!probe.patient) throw new NotApplicable("waits for the service's own time limit; run with --patient");
    refusal(
      await unfinished(new URL('/v1/decide', probe.service.baseUrl), probe.keys.full),
      408,
      'request_timeout_error',
    );
  }),
];
