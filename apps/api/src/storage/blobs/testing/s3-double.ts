import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Stored = { readonly content: Buffer; readonly modifiedAt: Date };

/** Small, so that listing has to page. */
const LIST_PAGE = 2;
const SMALLEST_PART = 5 * 1024 * 1024;

/** The part of S3's HTTP interface that the blob store uses, over real HTTP, in memory. It is as strict as the real one where it matters. */
export class S3Double {
  readonly objects = new Map<string, Stored>();
  readonly uploads = new Map<string, Map<number, Buffer>>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<S3Double> {
    const server = createServer();
    const double = new S3Double(server);
    server.on('request', (request, response) => {
      double.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const url = new URL(request.url ?? '/', this.endpoint);
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const body = await buffer(request);
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return refuse(response, 403, 'AccessDenied');
    if (request.headers['content-encoding']?.includes('aws-chunked')) return refuse(response, 501, 'NotImplemented');
    if (bucket !== 'bucket') return refuse(response, 404, 'NoSuchBucket');
    if (key === '') return this.list(url, response);
    const upload = url.searchParams.get('uploadId');
    const part = Number(url.searchParams.get('partNumber'));
    switch (request.method) {
      case 'POST':
        return upload ? this.complete(key, upload, body.toString(), response) : this.begin(response);
      case 'PUT':
        return upload ? this.putPart(upload, part, body, response) : this.put(key, body, response);
      case 'DELETE':
        if (upload) this.uploads.delete(upload);
        else this.objects.delete(key);
        return response.writeHead(204).end();
      default:
        return this.get(key, request, response);
    }
  }

  private put(key: string, content: Buffer, response: ServerResponse): ServerResponse {
    this.objects.set(key, { content, modifiedAt: new Date() });
    return response.writeHead(200, { etag: etag(content) }).end();
  }

  private begin(response: ServerResponse): ServerResponse {
    const id = randomUUID();
    this.uploads.set(id, new Map());
    return xml(
      response,
      200,
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  private putPart(upload: string, part: number, content: Buffer, response: ServerResponse): ServerResponse {
    const parts = this.uploads.get(upload);
    if (!parts) return refuse(response, 404, 'NoSuchUpload');
    parts.set(part, content);
    return response.writeHead(200, { etag: etag(content) }).end();
  }

  private complete(key: string, upload: string, body: string, response: ServerResponse): ServerResponse {
    const parts = this.uploads.get(upload);
    if (!parts) return refuse(response, 404, 'NoSuchUpload');
    const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => parts.get(Number(number)));
    const contents = named.filter((part) => part !== undefined);
    if (contents.length !== named.length) return refuse(response, 400, 'InvalidPart');
    if (contents.slice(0, -1).some((part) => part.byteLength < SMALLEST_PART))
      return refuse(response, 400, 'EntityTooSmall');
    this.uploads.delete(upload);
    this.objects.set(key, { content: Buffer.concat(contents), modifiedAt: new Date() });
    return xml(response, 200, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  private get(key: string, request: IncomingMessage, response: ServerResponse): ServerResponse {
    const stored = this.objects.get(key);
    if (!stored) return request.method === 'HEAD' ? response.writeHead(404).end() : refuse(response, 404, 'NoSuchKey');
    const { content, modifiedAt } = stored;
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (from && Number(from) >= content.byteLength) return refuse(response, 416, 'InvalidRange');
    const part = from ? content.subarray(Number(from), to ? Number(to) + 1 : undefined) : content;
    const headers = {
      'content-length': part.byteLength,
      'last-modified': modifiedAt.toUTCString(),
      etag: etag(content),
    };
    return response.writeHead(from ? 206 : 200, headers).end(request.method === 'HEAD' ? undefined : part);
  }

  private list(url: URL, response: ServerResponse): ServerResponse {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, LIST_PAGE);
    const contents = page.map((key) => {
      const { content, modifiedAt } = this.objects.get(key)!;
      return `<Contents><Key>${key}</Key><Size>${content.byteLength}</Size><LastModified>${modifiedAt.toISOString()}</LastModified></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return xml(
      response,
      200,
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }
}

function etag(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  return xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function xml(response: ServerResponse, status: number, body: string): ServerResponse {
  return response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
}
