import { type Document, isNode, type Node, walk } from '../specs/document.js';

/** Keywords that the generator's own representation forgets; it keeps every `x-` key. */
const FORGOTTEN = ['minProperties', 'maxProperties', 'uniqueItems', 'propertyNames'] as const;

const requiredOnly = (branch: unknown): branch is { required: string[] } =>
  isNode(branch) && Array.isArray(branch.required) && Object.keys(branch).length === 1;

function carryRequired(node: Node, keyword: 'oneOf' | 'anyOf', carried: string): void {
  const branches = node[keyword];
  if (!isNode(node.properties) || !Array.isArray(branches) || !branches.every(requiredOnly)) return;
  node[carried] = branches.map((branch) => branch.required[0]);
  delete node[keyword];
}

/** The generator loses the rules of a type that may be null; a choice between the type and null keeps them. */
function splitNullable(node: Node): void {
  const { type } = node;
  if (!Array.isArray(type) || !type.includes('object')) return;
  const branch: Node = { ...node, type: 'object' };
  for (const name of Object.keys(node)) if (name !== 'description') delete node[name];
  node.anyOf = [branch, { type: 'null' }];
}

/** Prepares a copy of the merged document for generation, so that validators enforce what the schemas say. */
export function carryKeywords(document: Document): Document {
  const carried = structuredClone(document);
  walk(carried.components.schemas, (node) => {
    if (!('type' in node)) return;
    for (const keyword of FORGOTTEN) {
      if (keyword in node) node[`x-zod-${keyword}`] = node[keyword];
    }
    carryRequired(node, 'oneOf', 'x-zod-exactlyOneOf');
    carryRequired(node, 'anyOf', 'x-zod-anyOf');
    if (isNode(node.propertyNames)) delete node.propertyNames;
    splitNullable(node);
  });
  return carried;
}
