import asyncapi from './generated/asyncapi.json' with { type: 'json' };
import openapi from './generated/openapi.json' with { type: 'json' };

/** The document served at `/openapi.json`. */
export const openapiDocument: object = openapi;

/** The document served at `/asyncapi.json`. */
export const asyncapiDocument: object = asyncapi;
