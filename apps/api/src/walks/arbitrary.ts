import fc from 'fast-check';

/** The part of JSON Schema 2020-12 that the contract uses. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema | boolean;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  contentEncoding?: string;
  minimum?: number;
  maximum?: number;
}

/** A document of schemas that `$ref` points into. */
export type Resolve = (ref: string) => Schema;
type Values = fc.Arbitrary<unknown>;

const FEW = 3;
const LONGEST_TEXT = 24;
const LARGEST_NUMBER = 1_000_000;

const onlyRequires = (schema: Schema): boolean => Object.keys(schema).length === 1 && Array.isArray(schema.required);

/** Values that a schema allows, small ones first. */
export function valuesOf(schema: Schema, resolve: Resolve): Values {
  if (schema.$ref) return valuesOf(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches?.every(onlyRequires) && schema.properties)
    return fc.oneof(...branches.map((branch) => chosen(schema, branch, resolve)));
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, resolve)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, resolve)));
  return ofType(schema, resolve);
}

/** One way to meet `oneOf`/`anyOf` of required names: that branch's names are there, the other branches' are not. */
function chosen(schema: Schema, branch: Schema, resolve: Resolve): Values {
  const { oneOf, anyOf, ...rest } = schema;
  const mine = branch.required ?? [];
  const others = (oneOf ?? anyOf ?? [])
    .flatMap(({ required }) => required ?? [])
    .filter((name) => !mine.includes(name));
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !others.includes(name));
  return valuesOf(
    { ...rest, properties: Object.fromEntries(properties), required: [...(schema.required ?? []), ...mine] },
    resolve,
  );
}

function ofType(schema: Schema, resolve: Resolve): Values {
  const { minimum = -LARGEST_NUMBER, maximum = LARGEST_NUMBER } = schema;
  const least = Math.max(minimum, -LARGEST_NUMBER);
  const most = Math.min(maximum, Math.max(LARGEST_NUMBER, least));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: least, max: most });
    case 'number':
      return fc.oneof(
        fc.integer({ min: Math.ceil(least), max: Math.floor(most) }),
        fc.double({ min: least, max: most, noNaN: true }),
      );
    case 'string':
      return texts(schema);
    case 'array':
      return arrays(schema, resolve);
    case 'object':
      return schema.properties ? records(schema, resolve) : maps(schema, resolve);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function texts({
  minLength = 0,
  maxLength = minLength + LONGEST_TEXT,
  pattern,
  format,
  contentEncoding,
}: Schema): Values {
  if (contentEncoding === 'base64')
    return fc.uint8Array({ minLength: 3, maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  if (format === 'uri') return fc.webUrl({ validSchemes: ['http', 'https'] });
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  if (pattern?.includes('\\p{C}'))
    return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + LONGEST_TEXT) });
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter(fits);
  const longest = Math.min(maxLength, minLength + LONGEST_TEXT);
  return fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc.string({ minLength, maxLength: longest, unit: 'binary' }).filter(isWellFormed),
  );
}

const isWellFormed = (text: string): boolean => text.isWellFormed();

function arrays({ items, minItems = 0, maxItems = minItems + FEW }: Schema, resolve: Resolve): Values {
  const each = typeof items === 'object' ? valuesOf(items, resolve) : fc.jsonValue({ maxDepth: 1 });
  return fc.array(each, { minLength: minItems, maxLength: Math.min(maxItems, minItems + FEW) });
}

function records(schema: Schema, resolve: Resolve): Values {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    valuesOf(property, resolve),
  ]);
  return fc.record(Object.fromEntries(properties) as Record<string, Values>, {
    requiredKeys: schema.required ?? [],
    noNullPrototype: true,
  });
}

/** Names that have broken JavaScript services before come up often. */
const trickyNames = fc.constantFrom('__proto__', 'constructor', 'toString', '10', '2', 'hasOwnProperty');

function maps(
  { propertyNames, additionalProperties, minProperties = 0, maxProperties }: Schema,
  resolve: Resolve,
): Values {
  const named = propertyNames ? valuesOf(propertyNames, resolve).map(String) : fc.string({ maxLength: 12 });
  const free = !propertyNames || !(propertyNames.$ref ? resolve(propertyNames.$ref) : propertyNames).pattern;
  const each =
    typeof additionalProperties === 'object' ? valuesOf(additionalProperties, resolve) : fc.jsonValue({ maxDepth: 2 });
  const size = {
    minLength: minProperties,
    maxLength: Math.min(maxProperties ?? minProperties + FEW, minProperties + FEW),
  };
  return fc
    .uniqueArray(
      fc.tuple(free ? fc.oneof({ arbitrary: named, weight: 4 }, { arbitrary: trickyNames, weight: 1 }) : named, each),
      {
        ...size,
        selector: ([name]) => name,
      },
    )
    .map((entries) => Object.fromEntries(entries));
}

const junk: Values = fc.oneof(
  fc.constantFrom(null, true, -1, 1e12, 0.5, '', 'x', [], {}, 'x'.repeat(600)),
  fc.jsonValue({ maxDepth: 1 }),
);

/** A copy of a value with one place removed, misnamed or replaced. */
export function spoilt(values: Values): Values {
  return fc.tuple(values, fc.nat(), fc.nat(2), junk).map(([value, at, how, replacement]) => {
    const copy: unknown = structuredClone(value);
    const places = holders(copy);
    const place = places[at % Math.max(1, places.length)];
    if (!place) return replacement;
    const [holder, name] = place;
    if (how === 0) delete holder[name];
    else define(holder, how === 1 ? `${name}_x` : name, replacement);
    return copy;
  });
}

function define(holder: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function holders(value: unknown): [Record<string, unknown>, string][] {
  if (value === null || typeof value !== 'object') return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [
    [holder, name] as [Record<string, unknown>, string],
    ...holders(holder[name]),
  ]);
}
