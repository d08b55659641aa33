import type { IncomingMessage } from 'node:http';
import { limits } from '@assay/contract';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/load.js';
import type { RequestContext } from '../../http/context.js';
import { checkBody } from '../../http/read-input.js';
import { InvalidRequest, Refusal } from '../../http/refusal.js';
import { renderError } from '../../http/rendered-error.js';
import { BLOBS, type BlobStore } from '../../storage/blobs/blob-store.js';
import { newUploadName } from '../results/blob-names.js';
import { resultEnd } from '../results/result-line.js';
import type { Upload, UploadedLine } from '../store/drafts.js';
import { Uploads } from '../store/uploads.js';
import { arriving } from './arriving.js';
import { readRequests, type UploadKind } from './read-requests.js';
import { UploadRefused } from './splitter.js';

const NDJSON = /^application\/(x-)?(ndjson|jsonl|jsonlines)\b/i;

/** Anything that is not said to be JSON Lines is read as JSON, as everywhere in the service. */
export const kindOf = (contentType: string | undefined): UploadKind =>
  NDJSON.test(contentType?.trim() ?? '') ? 'application/x-ndjson' : 'application/json';

/** The end of the result line of a body that decide's validation refuses; such a line never runs and has no headers. */
export function refusalOf(body: unknown): string | null {
  try {
    checkBody('decide', body);
    return null;
  } catch (error) {
    const rendered = error instanceof InvalidRequest ? renderError(error) : undefined;
    if (!rendered) throw error;
    return resultEnd(rendered.status, rendered.body, {});
  }
}

/** Stores the body of create and add while it arrives. */
@Injectable()
export class Intake {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly uploads: Uploads,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ASSAY_BODY_TIMEOUT_SECONDS'>,
  ) {}

  /** What `use` makes of the stored upload. Of a call that is refused, the bytes are deleted with the refusal. */
  async take<T>(
    request: IncomingMessage,
    context: RequestContext,
    limit: typeof limits.batchUpload,
    use: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    const blob = newUploadName();
    await this.uploads.announce(blob);
    const upload = await this.store(request, context, limit, blob).catch(async (error: unknown) => {
      await this.discard(blob);
      throw error instanceof UploadRefused ? asRefusal(error) : error;
    });
    return use(upload).catch(async (error: unknown) => {
      // After any other failure the call may have taken effect, and the batch would need these bytes.
      if (error instanceof Refusal) await this.discard(blob);
      throw error;
    });
  }

  private async store(
    request: IncomingMessage,
    context: RequestContext,
    limit: typeof limits.batchUpload,
    blob: string,
  ): Promise<Upload> {
    const lines: UploadedLine[] = [];
    const rules = { limitBytes: limit.value, timeoutMs: this.config.ASSAY_BODY_TIMEOUT_SECONDS * 1_000 };
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of arriving(request, rules)) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    const kind = kindOf(request.headers['content-type']);
    await this.blobs.put(blob, readRequests(counted(), kind, refusalOf, lines));
    context.facts.bodyBytes = bytes;
    return { blob, bytes, lines };
  }

  /** When this fails too, the sweep finds the upload after a day. */
  private async discard(blob: string): Promise<void> {
    try {
      await this.blobs.delete(blob);
      await this.uploads.forget(blob);
    } catch {
      return;
    }
  }
}

function asRefusal({ problem, message }: UploadRefused): Refusal {
  return new Refusal(problem === 'too_large' ? 'request_too_large_error' : 'api_usage_error', { message });
}
