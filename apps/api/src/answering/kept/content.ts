import { type JsonValue, type PreparedFrame, renderState } from '@assay/inference';
import type { ImageObject } from '../../images/intake.js';
import { EXCERPT_REACH } from '../../safety/asked.js';

export const IMAGES_PER_FRAME = 1;

/** What a frame shows: text that was prepared for the model, or a picture that is still to be read. */
export type FrameContent =
  | { readonly kind: 'text'; readonly frame: PreparedFrame; readonly view: string }
  | {
      readonly kind: 'picture';
      readonly image: ImageObject;
      /** Whose faces are looked for in it. */
      readonly collections: readonly string[];
    };

export interface KeptFrame {
  readonly content: FrameContent;
  /** All of them when left out. */
  readonly questions?: readonly string[] | undefined;
  /** Forget the frames before this one. */
  readonly reset: boolean;
}

/**
 * As much of a text as the safety check reads of it, wherever it stands in the state: its beginning and its end. The rest of a long
 * text is not held for as long as a frame stays in the window.
 */
export function viewOf(state: JsonValue): string {
  const text = renderState(state).join('\n');
  if (text.length <= 2 * EXCERPT_REACH) return text;
  return text.slice(0, EXCERPT_REACH) + text.slice(-EXCERPT_REACH);
}
