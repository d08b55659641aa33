import { Module } from '@nestjs/common';
import { ImagesModule } from '../../images/images.module.js';
import { SafetyModule } from '../../safety/safety.module.js';
import { AnsweringModule } from '../answering.module.js';
import { KeptAnswering } from './kept-answering.js';

@Module({
  imports: [AnsweringModule, SafetyModule, ImagesModule],
  providers: [KeptAnswering],
  exports: [KeptAnswering],
})
export class KeptAnsweringModule {}
