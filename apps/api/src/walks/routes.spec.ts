import { type OperationId, operationTable } from '@assay/contract';
import { NOT_SERVED } from '../unavailable/not-served.js';
import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('models', async () => {
  const response = await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${service.key}` } });
  console.log(response.status, Object.fromEntries(response.headers), await response.text());
  console.log(service.logged.slice(-5).join(''));
  console.log(NOT_SERVED.length, Object.keys(operationTable).length);
});
