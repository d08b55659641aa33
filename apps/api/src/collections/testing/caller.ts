import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, '../../../../../packages/vision/fixtures');
const picture = (name: string): Buffer => readFileSync(join(fixtures, name));

export const hopper = picture('grace-hopper.jpg');
export const collins = picture('eileen-collins.jpg');
/** No face of a person. */
export const cat = picture('chelsea-the-cat.jpg');

export const image = (bytes: Buffer, id?: string) => ({ ...(id && { id }), data: bytes.toString('base64') });

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

/** Calls the collections of a service with one key. */
export class CollectionsCaller {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async call<Body>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(`${this.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async collection(name = 'Staff'): Promise<string> {
    return (await this.call<{ id: string }>('POST', '/collections', { name })).body.id;
  }

  enroll(collection: string, bytes: Buffer, words: object = {}, headers: Record<string, string> = {}) {
    const body = { image: image(bytes, 'photo'), reference: 'staff:1', ...words };
    return this.call<EnrolledItem & Refused>('POST', `/collections/${collection}/items`, body, headers);
  }

  /** Comes back after a 529, as the contract asks. */
  async enrollPatiently(...sent: Parameters<CollectionsCaller['enroll']>): ReturnType<CollectionsCaller['enroll']> {
    for (;;) {
      const answer = await this.enroll(...sent);
      if (answer.status !== 529) return answer;
      await new Promise((done) => setTimeout(done, Number(answer.headers.get('retry-after-ms'))));
    }
  }

  search(collection: string, bytes: Buffer, rules: object = {}) {
    return this.call<{ faces: FoundFaces }>('POST', `/collections/${collection}/search`, {
      image: image(bytes),
      ...rules,
    });
  }

  /** The references of who was found, face by face. */
  async who(collection: string, bytes: Buffer): Promise<string[][]> {
    const { body } = await this.search(collection, bytes);
    return body.faces.map(({ matches }) => matches.map(({ reference }) => reference));
  }

  async upload(bytes: Buffer): Promise<string> {
    const response = await fetch(`${this.url}/v1/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(bytes),
    });
    return ((await response.json()) as { upload_id: string }).upload_id;
  }
}

export interface EnrolledItem {
  id: string;
  reference: string;
  label: string | null;
  metadata: Record<string, unknown>;
  box: Record<'x1' | 'y1' | 'x2' | 'y2', number>;
}

export interface Refused {
  detail: { error_type: string; message: string; details?: { reason: string } } & Record<string, unknown>[];
}

type FoundFaces = {
  box: EnrolledItem['box'];
  matches: { item: string; reference: string; label: string | null; metadata?: object; similarity: number }[];
}[];
