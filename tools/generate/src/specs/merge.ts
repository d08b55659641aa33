import { isDeepStrictEqual } from 'node:util';
import { type Document, isNode, walk } from './document.js';

/** Bundling an AsyncAPI document leaves the mapping of a discriminator as written in the schema's own file. */
function qualifyMappings(document: Document): Document {
  const qualified = structuredClone(document);
  walk(qualified.components.schemas, ({ discriminator }) => {
    if (!isNode(discriminator) || !isNode(discriminator.mapping)) return;
    for (const [tag, target] of Object.entries(discriminator.mapping)) {
      discriminator.mapping[tag] = `#/components/schemas/${String(target).split('/').at(-1)}`;
    }
  });
  return qualified;
}

/** The OpenAPI document with the schemas that only the stream uses; a schema of one name must be one schema. */
export function mergeSchemas(openapi: Document, stream: Document): Document {
  const merged = structuredClone(openapi);
  for (const [name, schema] of Object.entries(qualifyMappings(stream).components.schemas)) {
    const present = merged.components.schemas[name];
    if (present && !isDeepStrictEqual(present, schema)) {
      throw new Error(`schema ${name} differs between OpenAPI and AsyncAPI`);
    }
    merged.components.schemas[name] = schema;
  }
  return merged;
}
