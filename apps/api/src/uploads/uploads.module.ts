import { Module } from '@nestjs/common';
import { ImagesModule } from '../images/images.module.js';
import { UploadsController } from './uploads.controller.js';

@Module({ imports: [ImagesModule], controllers: [UploadsController] })
export class UploadsModule {}
