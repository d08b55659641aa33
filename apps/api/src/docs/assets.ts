import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The only files of swagger-ui-dist that the page loads; nothing else of the folder is served. */
const SERVED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

export const assetPath = (name: string): string | undefined =>
  SERVED.find((served) => served === name) && join(folder, name);
