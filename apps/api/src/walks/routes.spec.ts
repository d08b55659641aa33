import { operationTable } from '@assay/contract';
import { ModulesContainer } from '@nestjs/core';
import { isOpen } from '../access/open.js';
import { operationOf } from '../http/operation-of.js';
import { startTestService, type TestService } from './test-service.js';

/** Routes outside the contract; every one is open, and says why where it is bound. */
const OPEN_ROUTES = [
  '/asyncapi.json',
  '/docs',
  '/docs/assets/:name',
  '/docs/start.js',
  '/healthz',
  '/llms.txt',
  '/metrics',
  '/openapi.json',
  '/readyz',
];

const operations = Object.values(operationTable);
const routePath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('every operation of the spec is served once, and nothing else but the open routes', () => {
  const served = service.routes.map(({ method, path }) => `${method} ${path}`).sort();
  const promised = operations.map(({ method, path }) => `${method} ${routePath(path)}`);
  expect(served).toEqual([...promised, ...OPEN_ROUTES.map((path) => `GET ${path}`)].sort());
});

test('every handler declares its access: an operation of the contract, or open with a reason', () => {
  const controllers = [...service.app.get(ModulesContainer).values()].flatMap(({ controllers }) => [
    ...controllers.values(),
  ]);
  const handlers = controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as { prototype: object }).prototype;
    const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(prototype) as PropertyDescriptorMap;
    return Object.values(methods)
      .map(({ value }: PropertyDescriptor) => value as unknown)
      .filter((value): value is () => unknown => typeof value === 'function' && Reflect.hasMetadata('path', value));
  });
  expect(handlers.length).toBe(service.routes.length);
  expect(handlers.filter((handler) => !operationOf(handler) && !isOpen(handler)).map(({ name }) => name)).toEqual([]);
});

test.each(OPEN_ROUTES)('%s needs no key', async (path) => {
  const response = await fetch(service.url + path.replace(':name', 'swagger-ui.css'));
  expect(response.status).toBe(200);
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
});

test.each([
  ['GET', '/v1/nothing'],
  ['PUT', '/v1/decide'],
  ['GET', '/v1/decide'],
  ['DELETE', '/v1/models'],
  ['GET', '/v1/models/'],
  ['GET', '/V1/models'],
  ['GET', '/v1/batches/%E0%A4%A'],
  ['GET', '/docs/assets/package.json'],
  ['GET', '/docs/assets/..%2Fpackage.json'],
])('%s %s is no route: 404', async (method, path) => {
  const response = await fetch(service.url + path, { method, headers: { authorization: `Bearer ${service.key}` } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: { error_type: 'not_found_error' } });
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
});
