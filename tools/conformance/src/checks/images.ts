import { check } from '../check.js';
import { claim, entries, names, number, object, refusal, shown, status } from '../claims.js';
import { base64, GIF, hugePng, JPEG, PNG, WEBP } from './pictures.js';
import { FACES, STATE, TRUTH } from './samples.js';
import { picturesAreRead } from './served.js';

const about = (...images: readonly object[]) => ({ state: STATE, images, questions: { q: FACES } });

const UPLOAD_ID = `upl_${'0'.repeat(32)}`;

/** Addresses that lead to the service's own machine or network, in a few of their spellings. */
const INWARD = [
  'http://127.0.0.1/a.png',
  'http://2130706433/a.png',
  'http://0x7f.1/a.png',
  'http://[::1]/a.png',
  'http://[::ffff:127.0.0.1]/a.png',
  'http://localhost/a.png',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/a.png',
  'http://100.64.0.1/a.png',
  'http://[64:ff9b::7f00:1]/a.png',
  'file:///etc/passwd',
  'ftp://example.com/a.png',
];

export const images = [
  check(
    'POST /v1/decide',
    'Image object: `id` (string, at most 64 characters), exactly one of `url`, `data` (base64) or `upload_id`, and optional `media_type`.',
    async (probe) => {
      const data = base64(PNG);
      for (const image of [
        {},
        { id: 'x' },
        { data, upload_id: UPLOAD_ID },
        { data, url: 'https://example.com/a.png' },
        { data, id: 'x'.repeat(65) },
        { data, name: 'x' },
        { data: 7 },
      ]) {
        const found = entries(await probe.decide(about(image)));
        claim(
          found.every(({ loc }) => loc[1] === 'images' && loc[2] === 0),
          `the entries for ${shown(image)} are not at the image`,
        );
      }
    },
  ),

  check('Limits', 'Images per decision: up to 16 | per the live 400', async (probe) => {
    const data = base64(PNG);
    const reply = await probe.decide(about(...Array.from({ length: 17 }, (_, n) => ({ id: `p${n}`, data }))));
    refusal(reply, 400, 'api_usage_error');
  }),

  check('400 limit bodies', 'bad image: `api_usage_error` with a message naming the problem', async (probe) => {
    await picturesAreRead(probe);
    const bad = [
      { id: 'not-base64', data: '%%%%' },
      { id: 'empty', data: base64(new Uint8Array(1)) },
      { id: 'words', data: base64(Buffer.from('this is no picture at all')) },
      { id: 'gif', data: base64(GIF), media_type: 'image/png' },
      { id: 'cut-short', data: base64(PNG.subarray(0, 40)) },
      { id: 'huge', data: base64(hugePng()) },
    ];
    for (const image of bad) {
      const detail = refusal(await probe.decide(about(image)), 400, 'api_usage_error');
      claim(
        String(detail['message']).includes(image.id),
        `the message ${shown(detail['message'])} does not name the image ${image.id}`,
      );
    }
  }),

  check(
    'specification: decide',
    'A question beside an image that no installed model can answer is a 400 that names it',
    async (probe) => {
      await picturesAreRead(probe);
      const reply = await probe.decide({
        images: [{ data: base64(PNG) }],
        questions: { faces: FACES, 'the cat': { type: 'truth', instructions: 'Is there a cat?' } },
      });
      const detail = refusal(reply, 400, 'api_usage_error');
      claim(
        String(detail['message']).includes('"the cat"'),
        `the message ${shown(detail['message'])} names no question`,
      );
    },
  ),

  check('Statuses', "400 `image_url_refused`: a url that is not fetched, or an upload's own 400", async (probe) => {
    await picturesAreRead(probe);
    for (const url of INWARD) refusal(await probe.decide(about({ id: 'inward', url })), 400, 'image_url_refused');
    refusal(await probe.decide(about({ upload_id: UPLOAD_ID })), 400, 'image_url_refused');
  }),

  check(
    'Batch result line',
    '`x-service-image-tokens` (part of `usage.input_tokens` from images, on lines with images)',
    async (probe) => {
      await picturesAreRead(probe);
      const plain = await probe.decide({ state: STATE, questions: { q: TRUTH } });
      status(plain, 200);
      claim(plain.header('x-service-image-tokens') === null, 'a decision without images has x-service-image-tokens');
      for (const picture of [PNG, JPEG, WEBP]) {
        const reply = await probe.decide(about({ id: 'plain', data: base64(picture) }));
        if (reply.status === 400) {
          refusal(reply, 400, 'api_usage_error');
          continue;
        }
        status(reply, 200);
        const usage = object(object(reply.json, 'the body')['usage'], 'usage');
        names(usage, ['input_tokens', 'output_tokens'], 'usage');
        const tokens = reply.header('x-service-image-tokens');
        claim(tokens !== null && /^\d+$/.test(tokens), `x-service-image-tokens is ${shown(tokens)}`);
        claim(Number(tokens) <= number(usage['input_tokens'], 'input_tokens'), 'the images cost more than the whole');
      }
    },
  ),
];
