import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type Clock } from '../clock.js';
import { CollectionStore } from './collection-store.js';
import { FaceMatching } from './face-matching.js';
import { ItemStore } from './item-store.js';
import { MemoryCopies } from './memory-copies.js';

/** Ends the matching thread with the application. */
@Injectable()
class MemoryCopiesLife implements OnApplicationShutdown {
  constructor(private readonly copies: MemoryCopies) {}

  onApplicationShutdown(): Promise<void> {
    return this.copies.close();
  }
}

/** Collections of enrolled faces, for every surface that keeps or looks up any. */
@Module({
  providers: [
    {
      provide: CollectionStore,
      inject: [DataSource, CLOCK],
      useFactory: (source: DataSource, now: Clock) => new CollectionStore(source, now),
    },
    {
      provide: ItemStore,
      inject: [DataSource, CLOCK],
      useFactory: (source: DataSource, now: Clock) => new ItemStore(source, now),
    },
    {
      provide: MemoryCopies,
      inject: [DataSource],
      useFactory: (source: DataSource) => new MemoryCopies(source),
    },
    MemoryCopiesLife,
    {
      provide: FaceMatching,
      inject: [MemoryCopies, ItemStore],
      useFactory: (copies: MemoryCopies, items: ItemStore) => new FaceMatching(copies, items),
    },
  ],
  exports: [CollectionStore, ItemStore, FaceMatching],
})
export class FacesModule {}
