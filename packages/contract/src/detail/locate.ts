import type * as z from 'zod';

export type Location = (string | number)[];

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null;

/** The value under a path; undefined where the path leads nowhere. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** What a path of the value leads through in the schema, as far as it can be told. */
type Schema = z.core.$ZodTypes;

const inner = (schema: z.core.$ZodType): Schema => {
  const known = schema as Schema;
  const { def } = known._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return inner(def.innerType);
    case 'lazy':
      return inner(def.getter());
    default:
      return known;
  }
};

const takes = (schema: Schema, value: unknown): boolean => {
  const { type } = schema._zod.def;
  if (Array.isArray(value)) return type === 'array' || type === 'tuple';
  return isObject(value) && (type === 'object' || type === 'record' || type === 'union');
};

interface Member {
  readonly schema: Schema;
  /** The tag that chose the member of a union of questions or answers. */
  readonly tag?: string;
}

/** The member of a union that a value means to be: by its tag, else by its kind. */
function member(schema: Schema, value: unknown): Member | undefined {
  const { def } = schema._zod;
  if (def.type !== 'union') return { schema };
  const options = def.options.map(inner);
  const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef;
  if (!discriminator) {
    const fitting = options.find((option) => takes(option, value));
    return fitting && member(fitting, value);
  }
  const tag = isObject(value) ? value[discriminator] : undefined;
  const chosen = options.find((option) => option._zod.propValues?.[discriminator]?.has(tag as string));
  return chosen && { schema: chosen, tag: String(tag) };
}

function child(schema: Schema, step: PropertyKey): z.core.$ZodType | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return def.shape[String(step)];
    case 'record':
      return def.valueType;
    case 'array':
      return def.element;
    default:
      return undefined;
  }
}

/** The path as the caller reads it: after the name of a question stands its type. */
export function locate(root: z.core.$ZodType, sent: unknown, path: readonly PropertyKey[]): Location {
  const location: Location = [];
  let schema: z.core.$ZodType | undefined = root;
  let value = sent;
  for (let depth = 0; ; depth += 1) {
    const found: Member | undefined = schema && member(inner(schema), value);
    if (found?.tag !== undefined) location.push(found.tag);
    const step = path[depth];
    if (step === undefined) return location;
    location.push(typeof step === 'number' ? step : String(step));
    schema = found && child(found.schema, step);
    value = valueAt(value, [step]);
  }
}
