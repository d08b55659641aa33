import { NotApplicable } from '../check.js';
import { list, object, status, text } from '../claims.js';
import type { Probe } from '../probe.js';
import { isObject, type JsonObject, type Reply } from '../wire/reply.js';
import type { Service } from '../wire/service.js';
import { base64 } from './pictures.js';

export const NOBODYS = `col_${'0'.repeat(32)}`;

/** Ends the check where the deployment itself says that it enrolls nothing. */
function offered(reply: Reply): Reply {
  const details = isObject(reply.detail) ? reply.detail['details'] : undefined;
  if (reply.status === 529 && isObject(details))
    throw new NotApplicable(`529 with reason ${String(details['reason'])}`);
  return reply;
}

/** A collection of its own for one check, deleted at the end of it. */
export async function withCollection(probe: Probe, use: (collection: Collection) => Promise<void>): Promise<void> {
  const made = await probe.service.call({ path: '/v1/collections', json: { name: 'Conformance' } });
  status(made, 201);
  const id = text(object(made.json, 'the body')['id'], 'id');
  try {
    await use(new Collection(probe.service, id));
  } finally {
    await probe.service.call({ method: 'DELETE', path: `/v1/collections/${id}` });
  }
}

export class Collection {
  constructor(
    private readonly service: Service,
    readonly id: string,
  ) {}

  get path(): string {
    return `/v1/collections/${this.id}`;
  }

  as(service: Service): Collection {
    return new Collection(service, this.id);
  }

  async enroll(
    picture: Uint8Array,
    words: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const json = { image: { id: 'photo', data: base64(picture) }, reference: 'person:1', ...words };
    return offered(await this.service.call({ path: `${this.path}/items`, json, headers }));
  }

  /** The item of a portrait that must be enrolled. */
  async enrolled(picture: Uint8Array, words: object = {}): Promise<JsonObject> {
    const reply = await this.enroll(picture, words);
    status(reply, 201);
    return object(reply.json, 'the item');
  }

  /** The references found for each face. */
  async search(picture: Uint8Array): Promise<unknown[][]> {
    const reply = offered(
      await this.service.call({ path: `${this.path}/search`, json: { image: { data: base64(picture) } } }),
    );
    status(reply, 200);
    return list(object(reply.json, 'the body')['faces'], 'faces').map((face) =>
      list(object(face, 'a face')['matches'], 'matches').map((match) => object(match, 'a match')['reference']),
    );
  }
}
