// Enrolls a folder of pictures (the file's name is the person's) and tells who is in other pictures.
//
//   ASSAY_KEY=asy_live_… node packages/client/examples/faces.mjs staff/ door-1.jpg door-2.jpg
//
// The collection is deleted at the end; with ASSAY_COLLECTION=col_… one that you keep is searched and nothing is enrolled twice.
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Assay, toImage } from '@assay/client';

const { ASSAY_KEY: apiKey, ASSAY_URL: baseUrl = 'http://127.0.0.1:8080', ASSAY_COLLECTION: kept } = process.env;
const [folder, ...pictures] = process.argv.slice(2);
if (!apiKey || !folder) {
  console.error('Usage: ASSAY_KEY=asy_live_… node packages/client/examples/faces.mjs <folder to enroll> [pictures]');
  process.exit(2);
}

const WIDTH = 40;
const bar = (done, all) => {
  const full = Math.round((WIDTH * done) / all);
  process.stderr.write(`\r[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${done} of ${all}`);
};
const named = (file) => basename(file, extname(file));
const reference = (file) =>
  named(file)
    .replace(/[^A-Za-z0-9_.:-]/g, '-')
    .slice(0, 64);

const assay = new Assay({ baseUrl, apiKey });
const id = kept ?? (await assay.createCollection({ body: { name: basename(folder) || 'Faces' } })).id;

const files = (await readdir(folder)).filter((file) => /\.(jpe?g|png|webp)$/i.test(file));
for (const [done, file] of files.entries()) {
  bar(done, files.length);
  const known = await assay.listItems({ path: { id }, query: { reference: reference(file) } });
  if (known.items.length > 0) continue;
  const image = await toImage(join(folder, file), { id: file.slice(0, 64) });
  const body = { image, reference: reference(file), label: named(file).slice(0, 128) };
  await assay.enrollItem({ path: { id }, body }).catch((error) => console.error(`\n${file}: ${error.message}`));
}
bar(files.length, files.length);
process.stderr.write('\n');

for (const picture of pictures) {
  const { faces } = await assay.searchCollection({ path: { id }, body: { image: await toImage(picture) } });
  const people = faces.map(({ matches: [best] }) =>
    best ? `${best.label ?? best.reference} (${best.similarity})` : 'a stranger',
  );
  console.log(`${picture}: ${people.join(', ') || 'nobody'}`);
}
if (!kept) await assay.deleteCollection({ path: { id } });
