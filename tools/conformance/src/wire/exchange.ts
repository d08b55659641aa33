/** One request and what came back, cut to what a reader of a report needs. */
export interface Exchange {
  readonly sent: string;
  readonly received: string;
}

const SENT_CHARACTERS = 400;
const RECEIVED_CHARACTERS = 700;
/** Long runs without a space are pictures, filler text and keys: their beginning is enough. */
const LONG_RUN = /[^\s"]{120,}/g;

const BEARER = /asy_live_[0-9A-Za-z]+/g;

export function cut(text: string, characters: number): string {
  const short = text.replace(BEARER, 'asy_live_…').replace(LONG_RUN, (run) => `${run.slice(0, 60)}…`);
  return short.length <= characters ? short : `${short.slice(0, characters)}… (${text.length} characters)`;
}

export const shownRequest = (method: string, path: string, body: string): string =>
  cut(`${method} ${path}${body === '' ? '' : ` ${body}`}`, SENT_CHARACTERS);

export const shownReply = (status: number, body: string): string => cut(`${status} ${body}`, RECEIVED_CHARACTERS);
