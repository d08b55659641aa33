import { Controller, Get, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { listen } from '../boot/listen.js';
import { entry } from '../http/entry.js';
import { ErrorFilter } from '../http/error.filter.js';
import { createLog, LOG } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';
import { AccessGuard } from './access.guard.js';
import { Authenticator } from './authenticator.js';
import { FakeKeyStore } from './keys/key-store.fake.js';
import { FakeWorkspaceStore } from './workspaces/workspace-store.fake.js';

@Controller()
class ForgetfulController {
  @Get('secrets')
  read(): string {
    return 'secret';
  }
}

@Module({
  controllers: [ForgetfulController],
  providers: [
    { provide: Authenticator, useValue: new Authenticator(new FakeKeyStore(new FakeWorkspaceStore())) },
    { provide: LOG, useValue: createLog('silent') },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class ForgetfulModule {}

test('a route that declares no access is closed', async () => {
  const app = await NestFactory.create(ForgetfulModule, { logger: false });
  app.use(entry(createLog('silent'), new Metrics()));
  await app.init();
  const url = await listen(app.getHttpServer(), '127.0.0.1', 0);
  const response = await fetch(`${url}/secrets`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
  await app.close();
});
