import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { entry } from '../http/entry.js';
import { prepareServer } from '../http/server.js';
import { NestLog } from '../telemetry/log.js';
import { appModule, type Foundation } from './app.module.js';

/** The application on its foundation, ready to listen. Bodies are read by the operations themselves, within their limits. */
export async function createApplication(foundation: Foundation): Promise<NestExpressApplication> {
  const { log, metrics } = foundation;
  const app = await NestFactory.create<NestExpressApplication>(appModule(foundation), {
    bodyParser: false,
    logger: new NestLog(log),
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(entry(log, metrics));
  const server: Server = app.getHttpServer();
  prepareServer(server);
  return app.init() as Promise<NestExpressApplication>;
}
