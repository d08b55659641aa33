import { check } from '../check.js';
import { refusal } from '../claims.js';
import { served } from './served.js';

export const routes = [
  check(
    'specification: Errors',
    'When a request is wrong in several ways, the first of the list answers: 404 `not_found_error` for no such path or method comes first.',
    async (probe) => {
      const strangers = [probe.service, probe.service.as(undefined)];
      for (const service of strangers) {
        for (const path of [
          '/v1',
          '/v1/',
          '/v2/decide',
          '/v1/decide/more',
          '/v1/answers',
          '/v1/%zz',
          '/v1/../etc/passwd',
        ])
          refusal(await service.call({ path }), 404, 'not_found_error');
        for (const call of [
          { method: 'GET', path: '/v1/decide' },
          { method: 'DELETE', path: '/v1/decide' },
          { method: 'PUT', path: '/v1/models', json: {} },
          { method: 'POST', path: '/v1/models', json: {} },
        ])
          refusal(await service.call(call), 404, 'not_found_error');
      }
    },
  ),

  check('Statuses', '404 `not_found_error`: no batch with this id for the key', async (probe) => {
    for (const id of ['batch_0000000000', 'batch_', 'nonsense', '%00', '..%2F..%2Fetc'])
      refusal(served(await probe.service.call({ path: `/v1/batches/${id}` })), 404, 'not_found_error');
  }),
];
