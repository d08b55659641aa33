import { errorRule, stringify } from '@assay/contract';
import type { EndedLine } from '../store/reading.js';

/** The end of a result line, which is what is kept of an answered request; only the id goes before it. */
export const resultEnd = (status: number, body: unknown, headers: Readonly<Record<string, string>>): string =>
  `"status":${status},"body":${stringify(body)},"headers":${stringify(headers)}`;

const neverRan = (why: 'expired' | 'cancelled') => `"status":"${why}","body":null,"headers":{}`;

/** The live error body of a fault, with the reason in a header as the only thing that is said of it. */
function fault(reason: string): string {
  const { status, message } = errorRule('api_error');
  return resultEnd(status, { detail: { error_type: 'api_error', message } }, { 'x-service-error': reason });
}

const GIVEN_UP = 'The service stopped every time while it answered this request.';

/** The line of the result file. A failed line without a result was ended by the failure of its batch, or took every worker down. */
export function resultLine(line: EndedLine, failure: string | null): string {
  const end =
    line.result ??
    (line.state === 'expired' || line.state === 'cancelled' ? neverRan(line.state) : fault(failure ?? GIVEN_UP));
  return `{"custom_id":${line.custom_id},${end}}\n`;
}
