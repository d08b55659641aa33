import { createServer } from 'node:http';
import { CannotStart, listen } from './listen.js';

test('a free port is taken and told', async () => {
  const server = createServer();
  const url = await listen(server, '127.0.0.1', 0);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  server.close();
});

test('a taken port and a foreign address are explained', async () => {
  const first = createServer();
  const port = Number(new URL(await listen(first, '127.0.0.1', 0)).port);
  await expect(listen(createServer(), '127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
  await expect(listen(createServer(), '192.0.2.1', 0)).rejects.toThrow(CannotStart);
  first.close();
});
