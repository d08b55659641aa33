import type { OperationOutput } from '@assay/contract';
import { Controller, UseGuards } from '@nestjs/common';
import { FaceMatching } from '../faces/face-matching.js';
import { shownFace } from '../faces/shown.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { PictureReading } from '../images/reading/picture-reading.js';
import { Metering } from '../metering/metering.js';
import { FacesOfPicture } from './faces-of-picture.js';
import { collectionOf, PathCollectionGuard } from './path-collection.guard.js';

@Controller()
@UseGuards(PathCollectionGuard)
export class SearchController {
  constructor(
    private readonly faces: FacesOfPicture,
    private readonly matching: FaceMatching,
    private readonly pictures: PictureReading,
    private readonly metering: Metering,
  ) {}

  @Implement('searchCollection')
  async search(@Asked() call: Call<'searchCollection'>): Promise<OperationOutput<'searchCollection'>> {
    const { body, context, caller } = call;
    const { workspace } = caller;
    await this.faces.check(body.image, workspace.id);
    await this.metering.admit(call);
    const reading = { workspaceId: workspace.id, signal: context.signal };
    const { faces, faceModel } = await this.faces.read(body.image, reading, 'all').catch(async (error: unknown) => {
      if (this.faces.isOfThePicture(error)) await this.pictures.useUp([body.image], workspace);
      throw error;
    });
    const templates = faces.flatMap(({ template }) => template ?? []);
    const rules = { limit: body.limit, least: body.threshold, faceModel };
    const matches = await this.matching.match([collectionOf(context)], templates, rules);
    await this.pictures.useUp([body.image], workspace);
    return { faces: faces.map((face, at) => shownFace(face, matches[at] ?? [])) };
  }
}
