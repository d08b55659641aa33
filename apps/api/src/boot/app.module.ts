import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Authenticator } from '../access/authenticator.js';
import { PostgresKeyStore } from '../access/keys/postgres-key-store.js';
import { Revocations } from '../access/keys/revocations.js';
import { BatchesModule } from '../batches/batches.module.js';
import { CLOCK, type Clock } from '../clock.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { CONFIG, type Config } from '../config/load.js';
import { DecisionsModule } from '../decisions/decisions.module.js';
import { DocsModule } from '../docs/docs.module.js';
import { DOCUMENTS, type Documents } from '../docs/documents.js';
import { HealthModule } from '../health/health.module.js';
import { DEPENDENCIES, type Dependency } from '../health/readiness.js';
import { HttpModule } from '../http/http.module.js';
import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import { CREDIT, Metering, RATE_LIMITS } from '../metering/metering.js';
import { MemoryRateLimitStore } from '../metering/rate-limits/memory-rate-limit-store.js';
import { PostgresRateLimitStore } from '../metering/rate-limits/postgres-rate-limit-store.js';
import { ModelCatalog } from '../models/catalog.js';
import { ModelsModule } from '../models/models.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { BLOBS, type BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database/open-database.js';
import { LOG, type Log } from '../telemetry/log.js';
import { Metrics } from '../telemetry/metrics.js';
import { UploadsModule } from '../uploads/uploads.module.js';

/** What is made before the application and lives longer than it. */
export interface Foundation {
  config: Config;
  /** Tests move it; the time of day otherwise. */
  clock?: Clock;
  log: Log;
  metrics: Metrics;
  database: Database;
  blobs: BlobStore;
  catalog: ModelCatalog;
  documents: Documents;
  dependencies: readonly Dependency[];
}

function foundationProviders({
  config,
  clock = () => new Date(),
  log,
  metrics,
  database,
  blobs,
  catalog,
  documents,
  dependencies,
}: Foundation): Provider[] {
  const { source } = database;
  return [
    { provide: CONFIG, useValue: config },
    { provide: CLOCK, useValue: clock },
    { provide: LOG, useValue: log },
    { provide: Metrics, useValue: metrics },
    { provide: ModelCatalog, useValue: catalog },
    { provide: DOCUMENTS, useValue: documents },
    { provide: DEPENDENCIES, useValue: dependencies },
    { provide: DataSource, useValue: source },
    { provide: BLOBS, useValue: blobs },
    { provide: Authenticator, useValue: new Authenticator(new PostgresKeyStore(source)) },
    { provide: Revocations, useValue: new Revocations(database.address) },
    { provide: CREDIT, useValue: new PostgresCreditStore(source) },
    // One process counts in memory; several have only the database in common.
    {
      provide: RATE_LIMITS,
      useValue: database.kind === 'embedded' ? new MemoryRateLimitStore() : new PostgresRateLimitStore(source),
    },
    Metering,
  ];
}

@Module({})
class FoundationModule {}

@Module({
  imports: [
    HttpModule,
    HealthModule,
    DocsModule,
    DecisionsModule,
    SessionsModule,
    BatchesModule,
    ModelsModule,
    UploadsModule,
    CollectionsModule,
  ],
})
class AppModule {}

export function appModule(foundation: Foundation): DynamicModule {
  const providers = foundationProviders(foundation);
  const exported = providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide));
  return { module: AppModule, imports: [{ module: FoundationModule, global: true, providers, exports: exported }] };
}
