import { Observable } from 'rxjs';
import type { RequestContext } from './context.js';
import { Refusal } from './refusal.js';

/** A call that is not answered in time is given up: its work is told to stop, and the caller is told to come back. */
export function withDeadline<T>(answer: Observable<T>, ms: number, context: RequestContext): Observable<T> {
  return new Observable((caller) => {
    const late = setTimeout(() => {
      context.abandon('timeout');
      caller.error(new Refusal('overloaded_error', { message: 'The call was not answered in time.' }));
    }, ms);
    const subscription = answer.subscribe(caller);
    return () => {
      clearTimeout(late);
      subscription.unsubscribe();
    };
  });
}
