import { Module } from '@nestjs/common';
import { Answering } from './answering.js';

@Module({ providers: [Answering], exports: [Answering] })
export class AnsweringModule {}
