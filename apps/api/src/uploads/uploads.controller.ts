import { limits, type OperationOutput } from '@assay/contract';
import { readHeader } from '@assay/vision';
import { Controller, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/load.js';
import { readBody } from '../http/body.js';
import type { Call } from '../http/call.js';
import { Asked, Implement } from '../http/implement.js';
import { asImageError } from '../images/intake.js';
import { asRefusal } from '../images/refusals.js';
import { KeptPictures } from '../images/uploads/kept-pictures.js';
import type { Upload } from '../images/uploads/upload.js';
import { Metering } from '../metering/metering.js';

const UPLOAD = 'upload';

function headerOf(bytes: Buffer) {
  try {
    return readHeader(bytes);
  } catch (error) {
    throw asRefusal(asImageError(error, UPLOAD));
  }
}

const shown = (upload: Upload): OperationOutput<'createUpload'> => ({
  upload_id: upload.id,
  media_type: upload.mediaType,
  bytes: upload.bytes,
  width: upload.width,
  height: upload.height,
  created_at: upload.createdAt.toISOString(),
  expires_at: upload.expiresAt.toISOString(),
});

@Controller()
export class UploadsController {
  constructor(
    private readonly kept: KeptPictures,
    private readonly metering: Metering,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_BODY_TIMEOUT_SECONDS'>,
  ) {}

  @Implement('createUpload')
  async create(@Asked() call: Call<'createUpload'>, @Req() request: Request): Promise<OperationOutput<'createUpload'>> {
    const bytes = await readBody(request, {
      limitBytes: limits.uploadBody.value,
      timeoutMs: this.config.ASSAY_BODY_TIMEOUT_SECONDS * 1_000,
    });
    call.context.facts.bodyBytes = bytes.length;
    const header = headerOf(bytes);
    await this.metering.admit(call);
    return shown(await this.kept.keep(call.caller.workspace.id, bytes, header));
  }
}
