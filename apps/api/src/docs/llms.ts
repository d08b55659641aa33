import { operationTable } from '@assay/contract';

interface Described {
  info: { summary?: string; description?: string };
  paths: Record<string, Record<string, { summary?: string }>>;
}

/** A short guide for programs that read before they call, made from the contract. */
export function llmsText(openapi: Described): string {
  const operations = Object.values(operationTable).map(({ method, path, scope }) => {
    const summary = openapi.paths[path]?.[method.toLowerCase()]?.summary ?? '';
    return `- ${method} ${path}${scope === 'full' ? ' (Full access key)' : ''}: ${summary}`;
  });
  return `# Assay

> ${openapi.info.summary ?? ''}

${openapi.info.description ?? ''}

Authenticate every call with \`Authorization: Bearer <key>\`.

## A first question

\`\`\`
POST /v1/decide
{"model": "assay-flash-latest", "state": "Where is my parcel? I need it today!",
 "questions": {"urgent": {"type": "truth", "instructions": "Does the customer need an answer today?"}}}
\`\`\`

Question types: \`choice\` (\`criteria\`: option to description), \`score\` (\`criteria\`: level to description), \`truth\`,
\`number\` (\`min\`, \`max\`, \`step\`). Answers come back under the same names, with calibrated probabilities.

## Operations

${operations.join('\n')}

## More

- [OpenAPI](/openapi.json): every operation, schema, limit and error
- [AsyncAPI](/asyncapi.json): the session stream
- [Reference](/docs): the same for people, with try-it
`;
}
