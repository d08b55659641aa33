import { check } from '../check.js';
import { claim, names, object, refusal, same, shown, status, text } from '../claims.js';
import { answersOf, type Probe } from '../probe.js';
import type { Reply } from '../wire/reply.js';
import { GIF, HEIGHT, hugePng, JPEG, PNG, WEBP, WIDTH } from './pictures.js';
import { FACES, STATE, TIMESTAMP } from './samples.js';
import { picturesAreRead, served } from './served.js';

const UPLOAD_ID = /^upl_[0-9a-f]{32}$/;
const FIELDS = ['upload_id', 'media_type', 'bytes', 'width', 'height', 'created_at', 'expires_at'];
const DAY_MS = 24 * 3600 * 1000;
const BODY_BYTES = 26_214_400;

const upload = async (probe: Probe, body: Uint8Array<ArrayBuffer>, type: string): Promise<Reply> =>
  served(await probe.service.call({ path: '/v1/uploads', body, headers: { 'content-type': type } }));

const FORMATS = [
  { picture: PNG, type: 'image/png' },
  { picture: JPEG, type: 'image/jpeg' },
  { picture: WEBP, type: 'image/webp' },
];

export const uploads = [
  check(
    'contract: Uploads, collections, items',
    '`POST /v1/uploads` (raw bytes, `Content-Type` image/jpeg, image/png or image/webp): 201 `{"upload_id", "media_type", "bytes", "width", "height", "created_at", "expires_at"}`; kept 24 hours',
    async (probe) => {
      for (const { picture, type } of FORMATS) {
        const reply = await upload(probe, picture, type);
        status(reply, 201);
        const made = object(reply.json, 'the body');
        names(made, FIELDS, 'the upload');
        same(
          [made['media_type'], made['bytes'], made['width'], made['height']],
          [type, picture.length, WIDTH, HEIGHT],
          'what the upload is',
        );
        const [created, expires] = [text(made['created_at'], 'created_at'), text(made['expires_at'], 'expires_at')];
        claim(TIMESTAMP.test(created) && TIMESTAMP.test(expires), `the times are ${created} and ${expires}`);
        same(Date.parse(expires) - Date.parse(created), DAY_MS, 'the life of the upload in ms');
      }
    },
  ),

  check('Conventions', 'upload `upl_` + 32 hex digits.', async (probe) => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(object((await upload(probe, PNG, 'image/png')).json, 'the body')['upload_id']);
    for (const id of ids) claim(UPLOAD_ID.test(text(id, 'upload_id')), `upload_id is ${shown(id)}`);
    same(new Set(ids).size, 3, 'the number of different ids');
  }),

  check('specification: createUpload', 'What the picture is, is read from its bytes.', async (probe) => {
    const reply = await upload(probe, PNG, 'image/jpeg');
    status(reply, 201);
    same(object(reply.json, 'the body')['media_type'], 'image/png', 'media_type');
  }),

  check('Statuses', '400 `api_usage_error`: bad image (undecodable, unsupported type, over size)', async (probe) => {
    for (const picture of [
      new Uint8Array(0),
      new Uint8Array(Buffer.from('no picture')),
      GIF,
      PNG.slice(0, 20),
      hugePng(),
    ])
      refusal(await upload(probe, picture, 'image/png'), 400, 'api_usage_error');
  }),

  check('Statuses', '413 `request_too_large_error`', async (probe) => {
    const large = new Uint8Array(BODY_BYTES + 1);
    large.set(PNG);
    refusal(await upload(probe, large, 'image/png'), 413, 'request_too_large_error');
  }),

  check('Other endpoints', 'upload (`POST /v1/uploads`, producing `upload_id`)', async (probe) => {
    const made = object((await upload(probe, PNG, 'image/png')).json, 'the body');
    const reply = await probe.decide({
      state: STATE,
      images: [{ upload_id: made['upload_id'] }],
      questions: { q: FACES },
    });
    if (reply.status === 200) answersOf(reply, { q: FACES });
    else refusal(reply, 400, 'api_usage_error');
  }),

  check('Authentication', "Every call acts for the key's workspace only.", async (probe) => {
    const other = probe.with('other');
    const made = object((await upload(probe, PNG, 'image/png')).json, 'the body');
    await picturesAreRead(probe);
    const { id } = await probe.model();
    const json = { model: id, state: STATE, images: [{ upload_id: made['upload_id'] }], questions: { q: FACES } };
    refusal(await other.call({ path: '/v1/decide', json }), 400, 'image_url_refused');
  }),

  check('Authentication', 'Key scopes: Full access and Decisions-only.', async (probe) => {
    const call = { path: '/v1/uploads', body: PNG, headers: { 'content-type': 'image/png' } };
    status(served(await probe.with('decisions').call(call)), 201);
  }),
];
