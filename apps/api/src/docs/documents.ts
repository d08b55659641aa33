import { asyncapiDocument, openapiDocument } from '@assay/contract';
import { llmsText } from './llms.js';

/** Nest's token for the documents that are served as they are. */
export const DOCUMENTS = Symbol('documents');

export interface Documents {
  openapi: string;
  asyncapi: string;
  llms: string;
}

/** The very contract that the validators were generated from, written once at start. */
export function contractDocuments(): Documents {
  return {
    openapi: JSON.stringify(openapiDocument),
    asyncapi: JSON.stringify(asyncapiDocument),
    llms: llmsText(openapiDocument as Parameters<typeof llmsText>[0]),
  };
}
