import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/load.js';
import { BLOBS } from './blob-store.js';
import { openBlobStore } from './open-blob-store.js';

@Global()
@Module({
  providers: [
    {
      provide: BLOBS,
      useFactory: (config: Config) =>
        openBlobStore({
          place: config.ASSAY_BLOBS,
          dataFolder: config.ASSAY_DATA_DIR,
          accessKeyId: config.ASSAY_BLOBS_ACCESS_KEY_ID,
          secretAccessKey: config.ASSAY_BLOBS_SECRET_ACCESS_KEY,
        }),
      inject: [CONFIG],
    },
  ],
  exports: [BLOBS],
})
export class BlobsModule {}
