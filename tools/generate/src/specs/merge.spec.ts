import type { Document } from './document.js';
import { mergeSchemas } from './merge.js';

const documentOf = (schemas: Document['components']['schemas']): Document => ({ paths: {}, components: { schemas } });

describe('mergeSchemas', () => {
  it('adds the schemas that only the stream uses', () => {
    const merged = mergeSchemas(documentOf({ Usage: { type: 'object' } }), documentOf({ Frame: { type: 'string' } }));
    expect(merged.components.schemas).toEqual({ Usage: { type: 'object' }, Frame: { type: 'string' } });
  });

  it('refuses two schemas of one name', () => {
    const [rest, stream] = [documentOf({ Usage: { type: 'object' } }), documentOf({ Usage: { type: 'string' } })];
    expect(() => mergeSchemas(rest, stream)).toThrow('schema Usage differs');
  });

  it('sees that the mappings of both name the same schemas', () => {
    const question = (target: string) => ({
      Question: { oneOf: [], discriminator: { propertyName: 'type', mapping: { truth: target } } },
    });
    const rest = documentOf(question('#/components/schemas/TruthQuestion'));
    expect(mergeSchemas(rest, documentOf(question('#/TruthQuestion')))).toEqual(rest);
    expect(() => mergeSchemas(rest, documentOf(question('#/ChoiceQuestion')))).toThrow('differs');
  });
});
