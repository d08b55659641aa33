import type { Plugins } from '@hey-api/openapi-ts';

type Resolvers = Plugins.Zod.Resolvers;
type ObjectContext = Parameters<NonNullable<Resolvers['object']>>[0];
type ArrayContext = Parameters<NonNullable<Resolvers['array']>>[0];
type Chain = ObjectContext['chain']['current'];
type Extended = { readonly [keyword: `x-${string}`]: unknown };

/** The hand-written rules that generated validators call. */
const RULES = '../rules/index.js';

const extension = (schema: object, keyword: `x-${string}`): unknown => (schema as Extended)[keyword];

function check(ctx: ObjectContext | ArrayContext, chain: Chain, rule: string, ...args: unknown[]): Chain {
  const { $, plugin } = ctx;
  const symbol = plugin.symbol(rule, { external: RULES });
  return chain.attr('check').call($(symbol).call(...args.map((argument) => $.fromValue(argument))));
}

function record(ctx: ObjectContext): Chain {
  const { $, plugin, schema, nodes } = ctx;
  const z = plugin.imports.z;
  const names = extension(schema, 'x-zod-propertyNames');
  const key =
    typeof names === 'object' && names !== null && '$ref' in names
      ? $(
          plugin.referenceSymbol({
            category: 'schema',
            resource: 'definition',
            resourceId: String(names.$ref),
            artifact: 'zod',
          }),
        )
      : $(z).attr('string').call();
  const value = nodes.additionalProperties(ctx) ?? $(z).attr('unknown').call();
  return $(plugin.symbol('ownRecord', { external: RULES })).call(key, value);
}

function object(ctx: ObjectContext): Chain {
  const { $, plugin, schema, nodes } = ctx;
  const z = plugin.imports.z;
  const fields = schema.properties && Object.keys(schema.properties).length > 0;
  const others = schema.additionalProperties;
  if (extension(schema, 'x-metadata')) return $(plugin.symbol('flatMetadata', { external: RULES })).call();
  let chain: Chain = fields ? $(z).attr('strictObject').call(nodes.shape(ctx)) : record(ctx);
  if (fields && others && others.type !== 'never') throw new Error('an object has named fields or free ones, not both');
  const least = extension(schema, 'x-zod-minProperties');
  if (least !== undefined) chain = check(ctx, chain, 'minProperties', least);
  const most = extension(schema, 'x-zod-maxProperties');
  if (most !== undefined) chain = check(ctx, chain, 'maxProperties', most);
  const exactly = extension(schema, 'x-zod-exactlyOneOf');
  if (exactly) chain = check(ctx, chain, 'exactlyOneOf', exactly);
  const any = extension(schema, 'x-zod-anyOf');
  if (any) chain = check(ctx, chain, 'anyOfRequired', any);
  const ordered = extension(schema, 'x-ordered');
  if (ordered) chain = check(ctx, chain, 'ordered', ordered);
  return chain;
}

function array(ctx: ArrayContext): Chain | undefined {
  if (!extension(ctx.schema, 'x-zod-uniqueItems')) return undefined;
  ctx.chain.current = ctx.nodes.base(ctx);
  ctx.chain.current = ctx.nodes.minLength(ctx) ?? ctx.chain.current;
  ctx.chain.current = ctx.nodes.maxLength(ctx) ?? ctx.chain.current;
  return check(ctx, ctx.chain.current, 'uniqueItems');
}

/** Make the generated validators as strict as the schemas: unknown fields, sizes of objects, names, and rules across fields. */
export const resolvers: Resolvers = { object, array };
