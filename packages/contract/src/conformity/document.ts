import asyncapi from '../generated/asyncapi.json' with { type: 'json' };
import openapi from '../generated/openapi.json' with { type: 'json' };

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | boolean;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
}

export interface ResponseObject {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  readonly 'x-error-types'?: readonly string[];
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-scope': string;
  readonly 'x-rate-limit': string;
  readonly 'x-body-limit'?: number;
  readonly 'x-streamed'?: boolean;
  readonly requestBody?: { readonly description: string; readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

export const document = openapi as unknown as OpenApiDocument;
const stream = asyncapi as unknown as { components: { schemas: Record<string, Schema> } };

/** A discriminator is written in two ways in the two documents and means nothing to a JSON Schema validator. */
const withoutDiscriminators = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  JSON.parse(JSON.stringify(schemas, (name, value) => (name === 'discriminator' ? undefined : value)));

/** Every schema of both specs by its name. */
export const schemas: Readonly<Record<string, Schema>> = withoutDiscriminators({
  ...stream.components.schemas,
  ...document.components.schemas,
});

export const operationObjects: readonly OperationObject[] = Object.values(document.paths).flatMap((item) =>
  Object.values(item),
);

export const responseOf = (response: ResponseObject): ResponseObject =>
  response.$ref ? document.components.responses[response.$ref.split('/').at(-1) ?? '']! : response;
