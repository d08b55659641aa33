import { startTestService, type TestService } from './test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('models', async () => {
  const response = await fetch(`${service.url}/v1/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: JSON.stringify({
      model: 'tiny-latest',
      state: 'hello',
      questions: {
        __x: { type: 'truth' },
        '10': { type: 'choice', criteria: { b: null, '1': 'x', a: 'y' } },
        '9': { type: 'score' },
        n: { type: 'number', min: 0, max: 3 },
      },
    }),
  });
  console.log(response.status, Object.fromEntries(response.headers), await response.text());
  console.log(service.logged.slice(-5).join(''));
  console.log(await (await fetch(`${service.url}/readyz`)).text());
  console.log(await (await fetch(`${service.url}/metrics`)).text());
});
