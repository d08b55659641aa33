/** A response as it came over the wire; the text is kept because a parsed body no longer shows order and digits. */
export class Reply {
  private parsed: { readonly value: unknown } | undefined;

  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
  ) {}

  /** undefined when the body is not JSON. */
  get json(): unknown {
    this.parsed ??= { value: parsedOrNothing(this.text) };
    return this.parsed.value;
  }

  get detail(): unknown {
    return isObject(this.json) ? this.json['detail'] : undefined;
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export type JsonObject = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
