import { Module } from '@nestjs/common';
import { UnavailableController } from './unavailable.controller.js';

@Module({ controllers: [UnavailableController] })
export class UnavailableModule {}
