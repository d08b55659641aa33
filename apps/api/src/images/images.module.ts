import { availableParallelism } from 'node:os';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/load.js';
import { BLOBS, type BlobStore } from '../storage/blobs/blob-store.js';
import { PictureFetcher } from './fetch/picture-fetcher.js';
import { PictureIntake } from './intake.js';
import { FaceModel } from './reading/face-model.js';
import { FaceModelLife } from './reading/face-model-life.js';
import { PictureReading } from './reading/picture-reading.js';
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
    {
      provide: FaceModel,
      inject: [CONFIG],
      useFactory: ({ ASSAY_MODELS_DIR, ASSAY_THREADS }: Pick<Config, 'ASSAY_MODELS_DIR' | 'ASSAY_THREADS'>) =>
        new FaceModel({ root: ASSAY_MODELS_DIR, threads: ASSAY_THREADS ?? availableParallelism() }),
    },
    FaceModelLife,
    {
      provide: PictureReading,
      inject: [PictureIntake, KeptPictures, FaceModel],
      useFactory: (intake: PictureIntake, kept: KeptPictures, model: FaceModel) =>
        new PictureReading(intake, kept, model),
    },
    ExpiredUploads,
  ],
  exports: [KeptPictures, PictureIntake, PictureReading, FaceModel],
})
export class ImagesModule {}
