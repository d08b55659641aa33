import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type Clock } from '../clock.js';
import { CONFIG } from '../config/load.js';
import { FacesModule } from '../faces/faces.module.js';
import { ItemStore } from '../faces/item-store.js';
import { ImagesModule } from '../images/images.module.js';
import { PostgresCreditStore } from '../metering/credit/postgres-credit-store.js';
import { PostgresIdempotencyStore } from '../storage/idempotency/postgres-idempotency-store.js';
import { CollectionsController } from './collections.controller.js';
import { Enrollment } from './enrollment/enrollment.js';
import { ExpiredKeys } from './enrollment/expired-keys.js';
import { ENROLLMENT_PRICE, enrollmentPrice } from './enrollment/price.js';
import { Settlement } from './enrollment/settlement.js';
import { FacesOfPicture } from './faces-of-picture.js';
import { ItemsController } from './items.controller.js';
import { PathCollectionGuard } from './path-collection.guard.js';
import { SearchController } from './search.controller.js';

@Module({
  imports: [FacesModule, ImagesModule],
  controllers: [CollectionsController, ItemsController, SearchController],
  providers: [
    { provide: ENROLLMENT_PRICE, inject: [CONFIG], useFactory: enrollmentPrice },
    {
      provide: PostgresIdempotencyStore,
      inject: [DataSource, CLOCK],
      useFactory: (source: DataSource, now: Clock) => new PostgresIdempotencyStore(source, now),
    },
    {
      provide: Settlement,
      inject: [DataSource, ItemStore, PostgresIdempotencyStore],
      useFactory: (source: DataSource, items: ItemStore, keys: PostgresIdempotencyStore) =>
        new Settlement({ source, items, credit: new PostgresCreditStore(source), keys }),
    },
    ExpiredKeys,
    Enrollment,
    FacesOfPicture,
    PathCollectionGuard,
  ],
})
export class CollectionsModule {}
