import { type Frame, JsonError, parse, toDetail, validators } from '@assay/contract';
import type { JsonValue } from '@assay/inference';
import type * as z from 'zod';
import type { FrameContent, KeptFrame } from '../../answering/kept/content.js';
import { InvalidRequest, Refusal } from '../../http/refusal.js';

/** A message that is a frame of the session it was sent to. */
export interface ReadyFrame extends KeptFrame {
  readonly seq: number;
  readonly receivedAt: number;
}

/** What the questions and the model of a session make of a message. */
export interface FrameReader {
  has(question: string): boolean;
  text(frame: JsonValue): FrameContent;
}

export type Message =
  | { readonly kind: 'frame'; readonly frame: ReadyFrame }
  /** To be told to the sender of this number; the session goes on. */
  | { readonly kind: 'refused'; readonly seq: number; readonly error: unknown }
  /** Not JSON, or no frame object. */
  | { readonly kind: 'garbage' };

const SHOWN_CHARACTERS = 64;

/** Reads one message; what can be said against it without model work is said at once, so a bad frame passes no good one over. */
export function readMessage(bytes: Uint8Array, reader: FrameReader, receivedAt = performance.now()): Message {
  const sent = parsed(bytes);
  const seq = seqOf(sent);
  if (seq === undefined) return { kind: 'garbage' };
  try {
    const frame = checked(validators.zFrame, sent);
    const questions = named(frame.questions, reader);
    const content = contentOf(frame, sent, reader);
    return { kind: 'frame', frame: { seq, receivedAt, content, questions, reset: frame.reset ?? false } };
  } catch (error) {
    return { kind: 'refused', seq, error };
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function seqOf(sent: unknown): number | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent) || !Object.hasOwn(sent, 'seq')) return undefined;
  return validators.zFrameSeq.safeParse((sent as { seq: unknown }).seq).data;
}

function checked<T>(schema: z.ZodType<T>, sent: unknown): T {
  const result = schema.safeParse(sent);
  if (!result.success) throw new InvalidRequest(toDetail(result.error, schema, sent));
  return result.data;
}

function named(questions: readonly string[] | undefined, reader: FrameReader): readonly string[] | undefined {
  const unknown = questions?.find((name) => !reader.has(name));
  if (unknown === undefined) return questions;
  const shown = [...unknown].slice(0, SHOWN_CHARACTERS).join('');
  throw new Refusal('api_usage_error', { message: `The session has no question ${JSON.stringify(shown)}.` });
}

/** An object of an object `image`, and perhaps a list `collections`, is a picture; every other object is read like a state. */
function contentOf({ frame }: Frame, sent: unknown, reader: FrameReader): FrameContent {
  if (!isImageFrame(frame)) return reader.text(frame as JsonValue);
  const schema = validators.zFrame.extend({ frame: validators.zImageFrame });
  const { image, collections = [] } = checked(schema, sent).frame;
  return { kind: 'picture', image, collections };
}

function isImageFrame(frame: Frame['frame']): boolean {
  if (typeof frame === 'string' || !Object.hasOwn(frame, 'image')) return false;
  const { image, collections = [], ...others } = frame as { image: unknown; collections?: unknown };
  const isPicture = typeof image === 'object' && image !== null && !Array.isArray(image);
  return isPicture && Array.isArray(collections) && Object.keys(others).length === 0;
}
