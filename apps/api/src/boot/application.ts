import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import createExpress from 'express';
import { entry } from '../http/entry.js';
import { prepareServer } from '../http/server.js';
import { NestLog } from '../telemetry/log.js';
import { appModule, type Foundation } from './app.module.js';

/** The application on its foundation, ready to listen. Bodies are read by the operations themselves, within their limits. */
export async function createApplication(foundation: Foundation): Promise<NestExpressApplication> {
  const { log, metrics } = foundation;
  const express = createExpress();
  // The router takes the first two over when it is made, so they are set before Nest touches it.
  for (const setting of ['case sensitive routing', 'strict routing']) express.enable(setting);
  for (const setting of ['x-powered-by', 'etag']) express.disable(setting);
  express.set('query parser', 'simple');
  const app = await NestFactory.create<NestExpressApplication>(appModule(foundation), new ExpressAdapter(express), {
    bodyParser: false,
    logger: new NestLog(log),
    abortOnError: false,
  });
  app.use(entry(log, metrics));
  const server: Server = app.getHttpServer();
  prepareServer(server);
  return app.init() as Promise<NestExpressApplication>;
}
