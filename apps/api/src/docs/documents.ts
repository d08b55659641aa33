/** Nest's token for the documents that are served as they are. */
export const DOCUMENTS = Symbol('documents');

export interface Documents {
  openapi: string;
  asyncapi: string;
  llms: string;
}
