import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/load.js';
import { readFittedSafeties } from './fitted.js';
import { FITTED_SAFETY, Safety } from './safety.js';

@Module({
  providers: [
    {
      provide: FITTED_SAFETY,
      inject: [CONFIG],
      useFactory: ({ ASSAY_MODELS_DIR }: Config) => readFittedSafeties(ASSAY_MODELS_DIR),
    },
    Safety,
  ],
  exports: [Safety],
})
export class SafetyModule {}
