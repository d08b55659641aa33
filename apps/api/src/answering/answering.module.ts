import { Module } from '@nestjs/common';
import { ImagesModule } from '../images/images.module.js';
import { SafetyModule } from '../safety/safety.module.js';
import { Answering } from './answering.js';

@Module({ imports: [SafetyModule, ImagesModule], providers: [Answering], exports: [Answering] })
export class AnsweringModule {}
