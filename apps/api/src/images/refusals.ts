import { Refusal } from '../http/refusal.js';
import { ImageError } from './image-error.js';

/** How a decision, a frame or an upload words a picture that was not taken: always a 400. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error;
  const { kind, message } = error;
  const readable = kind === 'unreadable' || kind === 'not_base64';
  return new Refusal(readable ? 'api_usage_error' : 'image_url_refused', { message });
}
