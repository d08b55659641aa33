import { Module } from '@nestjs/common';
import { AnsweringModule } from '../answering/answering.module.js';
import { DecisionsController } from './decisions.controller.js';

@Module({ imports: [AnsweringModule], controllers: [DecisionsController] })
export class DecisionsModule {}
