import { type Document, type Operation, type Parameter, type Response, resolve } from '../specs/document.js';

const pascal = (id: string) => id.charAt(0).toUpperCase() + id.slice(1);
const quoted = (values: readonly string[]) => `[${values.map((value) => `'${value}'`).join(', ')}]`;

class Entry {
  readonly lines: string[] = [];
  add(name: string, value: string | number | boolean | undefined): void {
    if (value !== undefined) this.lines.push(`    ${name}: ${value},`);
  }
}

/** The TypeScript source of the table of operations: what is served, to whom, and which validators check it. */
export class OperationTable {
  private readonly imports = new Set<string>();

  constructor(
    private readonly document: Document,
    private readonly validators: ReadonlySet<string>,
  ) {}

  source(): string {
    const entries: string[] = [];
    for (const [path, item] of Object.entries(this.document.paths)) {
      for (const [method, operation] of Object.entries(item)) entries.push(this.entry(path, method, operation));
    }
    const imports = [...this.imports].sort().map((name) => `  ${name},`);
    return [
      '// This file is generated from specs/ by tools/generate.',
      `import {\n${imports.join('\n')}\n} from './zod.gen.js';`,
      `export const operations = {\n${entries.join('\n')}\n} as const;\n`,
    ].join('\n\n');
  }

  private entry(path: string, method: string, operation: Operation): string {
    const { operationId: id, responses } = operation;
    const success = Object.keys(responses).find((status) => status.startsWith('2'));
    if (!success) throw new Error(`${id} has no success response`);
    const parameters = (operation.parameters ?? []).map((node) => resolve(this.document, node) as Parameter);
    const entry = new Entry();
    entry.add('id', `'${id}'`);
    entry.add('tag', `'${operation.tags[0]}'`);
    entry.add('method', `'${method.toUpperCase()}'`);
    entry.add('path', `'${path}'`);
    entry.add('scope', `'${operation['x-scope']}'`);
    entry.add('rateLimit', `'${operation['x-rate-limit']}'`);
    entry.add(
      'idempotent',
      parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    );
    entry.add('notFound', operation['x-not-found'] ? `'${operation['x-not-found']}'` : 'null');
    entry.add('bodyLimit', operation['x-body-limit'] ?? 'null');
    entry.add('streamed', operation['x-streamed'] === true);
    entry.add('status', Number(success));
    entry.add('consumes', quoted(Object.keys(operation.requestBody?.content ?? {})));
    entry.add('produces', quoted(Object.keys(this.response(responses, success).content ?? {})));
    entry.add('errors', quoted(this.errorTypes(responses)));
    entry.add('statuses', `[${Object.keys(responses).join(', ')}]`);
    for (const [layer, suffix] of [
      ['params', 'Path'],
      ['query', 'Query'],
      ['headers', 'Headers'],
      ['body', 'Body'],
    ]) {
      entry.add(layer!, this.validator(`z${pascal(id)}${suffix}`));
    }
    entry.lines.push('    responses: {', ...this.responseValidators(responses), '    },');
    return `  ${id}: {\n${entry.lines.join('\n')}\n  },`;
  }

  private response(responses: Operation['responses'], status: string): Response {
    return resolve(this.document, responses[status]!) as Response;
  }

  private errorTypes(responses: Operation['responses']): string[] {
    const types = Object.keys(responses).flatMap((status) => this.response(responses, status)['x-error-types'] ?? []);
    return [...new Set(types)];
  }

  private responseValidators(responses: Operation['responses']): string[] {
    return Object.keys(responses).flatMap((status) => {
      const schema = this.response(responses, status).content?.['application/json']?.schema;
      if (typeof schema?.$ref !== 'string') return [];
      const name = `z${schema.$ref.split('/').at(-1)}`;
      if (!this.validator(name)) throw new Error(`no validator ${name} for status ${status}`);
      return [`      ${status}: ${name},`];
    });
  }

  private validator(name: string): string | undefined {
    if (!this.validators.has(name)) return undefined;
    this.imports.add(name);
    return name;
  }
}
