import 'reflect-metadata';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../access/workspaces/postgres-workspace-store.js';
import { Reading } from '../batches/store/reading.js';
import { openConfiguredDatabase } from '../boot/database.js';
import { ConfigError, loadConfig } from '../config/load.js';
import { CollectionStore } from '../faces/collection-store.js';
import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import type { Database } from '../storage/database/open-database.js';
import { createLog } from '../telemetry/log.js';
import { batchCommands } from './batches.js';
import { collectionCommands } from './collections.js';
import { carryOut, UsageError } from './command.js';
import { configCommands } from './config.js';
import { creditCommands } from './credit.js';
import type { Deployment } from './deployment.js';
import { keyCommands } from './keys.js';
import { workspaceCommands } from './workspaces.js';

const commands = [
  ...workspaceCommands,
  ...keyCommands,
  ...creditCommands,
  ...collectionCommands,
  ...batchCommands,
  ...configCommands,
];

/** Opened by the first command that needs it, so that help works without any database. */
let database: Database | undefined;

async function deployment(): Promise<Deployment> {
  const config = loadConfig(process.env);
  database ??= await openConfiguredDatabase(config, createLog('warn'));
  const { source } = database;
  return {
    workspaces: new PostgresWorkspaceStore(source),
    keys: new PostgresKeyStore(source),
    credit: new PostgresCreditStore(source),
    collections: new CollectionStore(source, () => new Date()),
    batches: new Reading(source),
  };
}

try {
  const print = (text: string) => process.stdout.write(`${text}\n`);
  await carryOut(commands, process.argv.slice(2), { print, deployment });
} catch (error) {
  const expected = error instanceof UsageError || error instanceof ConfigError;
  process.stderr.write(`${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await database?.close();
}
