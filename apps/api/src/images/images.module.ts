import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/load.js';
import { BLOBS, type BlobStore } from '../storage/blobs/blob-store.js';
import { PictureFetcher } from './fetch/picture-fetcher.js';
import { PictureIntake } from './intake.js';
import { ExpiredUploads } from './uploads/expired-uploads.js';
import { KeptPictures } from './uploads/kept-pictures.js';
import { PostgresUploadStore } from './uploads/postgres-upload-store.js';

/** How pictures come in, for every surface that takes them. */
@Module({
  providers: [
    {
      provide: KeptPictures,
      inject: [DataSource, BLOBS],
      useFactory: (source: DataSource, blobs: BlobStore) => new KeptPictures(new PostgresUploadStore(source), blobs),
    },
    {
      provide: PictureIntake,
      inject: [KeptPictures, CONFIG],
      useFactory: (kept: KeptPictures, { ASSAY_IMAGE_URLS }: Pick<Config, 'ASSAY_IMAGE_URLS'>) =>
        new PictureIntake(kept, ASSAY_IMAGE_URLS === 'public' ? new PictureFetcher() : undefined),
    },
    ExpiredUploads,
  ],
  exports: [KeptPictures, PictureIntake],
})
export class ImagesModule {}
