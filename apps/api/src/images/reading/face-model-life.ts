import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FaceModel } from './face-model.js';

/** Ends the thread of the face networks with the application. */
@Injectable()
export class FaceModelLife implements OnApplicationShutdown {
  constructor(private readonly model: FaceModel) {}

  onApplicationShutdown(): Promise<void> {
    return this.model.close();
  }
}
