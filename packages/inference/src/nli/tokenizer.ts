import { Tokenizer } from '@huggingface/tokenizers';
import { array, object, string, whole } from '../bundle/shape.js';

interface Special {
  readonly id: number;
  readonly content: string;
}

/**
 * A tokenizer.json as model hubs publish it. Its own library would read `[SEP]` in a caller's text as the real one;
 * here the control tokens are taken out of it, and a vocabulary that spells one as a word is caught afterwards.
 */
export class HubTokenizer {
  private readonly tokenizer: Tokenizer;
  private readonly specials: readonly Special[];
  private readonly unknown: number | undefined;

  constructor(json: unknown) {
    const file = object(json, 'tokenizer.json');
    this.specials = array(file['added_tokens'] ?? [], 'added_tokens')
      .map((value) => object(value, 'added_tokens'))
      .filter((token) => token['special'] === true)
      .map((token) => ({
        id: token['id'] === 0 ? 0 : whole(token['id'], 'added_tokens.id'),
        content: string(token['content'], 'added_tokens.content'),
      }));
    this.unknown = this.special('[UNK]', '<unk>');
    const bare = { ...file, added_tokens: [], post_processor: null, truncation: null, padding: null };
    this.tokenizer = new Tokenizer(bare, {});
  }

  /** The first of these control tokens that it has. */
  special(...contents: readonly string[]): number | undefined {
    return contents
      .map((content) => this.specials.find((one) => one.content === content)?.id)
      .find((id) => id !== undefined);
  }

  encode(text: string): number[] {
    const ids = this.ids(text);
    if (!ids.some((id) => this.isControl(id))) return ids;
    const spelled = this.specials.reduce(
      (all, { content }) => all.replaceAll(content, `${content.slice(0, 1)} ${content.slice(1)}`),
      text,
    );
    return this.ids(spelled).filter((id) => !this.isControl(id));
  }

  private ids(text: string): number[] {
    return this.tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  private isControl(id: number): boolean {
    return id !== this.unknown && this.specials.some((special) => special.id === id);
  }
}
