import { Module } from '@nestjs/common';
import { FacesModule } from '../faces/faces.module.js';
import { ImagesModule } from '../images/images.module.js';
import { SafetyModule } from '../safety/safety.module.js';
import { Answering } from './answering.js';
import { EvidenceGathering } from './evidence.js';

@Module({
  imports: [SafetyModule, ImagesModule, FacesModule],
  providers: [Answering, EvidenceGathering],
  exports: [Answering, EvidenceGathering],
})
export class AnsweringModule {}
