/** A JSON Schema or any other node of a spec, as read from YAML. */
export type Node = { [name: string]: unknown };

export interface Parameter extends Node {
  name: string;
  in: 'path' | 'query' | 'header';
}

export interface Response extends Node {
  content?: { [mediaType: string]: { schema?: Node } };
  'x-error-types'?: string[];
}

export interface Operation extends Node {
  operationId: string;
  tags: string[];
  'x-scope': string;
  'x-rate-limit': string;
  'x-body-limit'?: number;
  'x-not-found'?: string;
  'x-streamed'?: boolean;
  parameters?: Node[];
  requestBody?: { content: { [mediaType: string]: Node } };
  responses: { [status: string]: Node };
}

export interface Document extends Node {
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: Node } } & Node;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows a reference inside the document; anything else is returned as it is. */
export function resolve(document: Document, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = document;
  for (const step of node.$ref.slice(2).split('/')) {
    target = isNode(target) ? target[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  if (!isNode(target)) throw new Error(`${node.$ref} does not exist`);
  return target;
}

/** Calls back for every object in the tree, parents first. */
export function walk(root: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(root)) for (const element of root) walk(element, visit);
  if (!isNode(root)) return;
  visit(root);
  for (const value of Object.values(root)) walk(value, visit);
}
