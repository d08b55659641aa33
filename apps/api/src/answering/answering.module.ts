import { Module } from '@nestjs/common';
import { SafetyModule } from '../safety/safety.module.js';
import { Answering } from './answering.js';

@Module({ imports: [SafetyModule], providers: [Answering], exports: [Answering] })
export class AnsweringModule {}
