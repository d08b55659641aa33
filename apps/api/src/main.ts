import 'reflect-metadata';
import { banner } from './boot/banner.js';
import { CannotStart } from './boot/listen.js';
import { startService } from './boot/service.js';
import { ConfigError, loadConfig } from './config/load.js';
import { DatabaseRefused } from './storage/database/external.js';
import { EmbeddedPostgresUnavailable } from './storage/launcher/unavailable.js';
import { createLog, faultFields } from './telemetry/log.js';

/** Reasons that the operator can do something about: one message is worth more than a stack. */
const EXPLAINED = [ConfigError, CannotStart, DatabaseRefused, EmbeddedPostgresUnavailable];

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLog(config.ASSAY_LOG_LEVEL);
  process.on('uncaughtException', (error) => {
    log.fatal(faultFields(error), 'fault outside of any call');
    process.exit(1);
  });
  const service = await startService(config, log);
  process.stdout.write(`${banner(service)}\n`);

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping; the same signal again stops at once');
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const explained = error instanceof Error && EXPLAINED.some((kind) => error instanceof kind);
  process.stderr.write(`${explained ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
