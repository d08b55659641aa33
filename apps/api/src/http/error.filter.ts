import { stringify } from '@assay/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isDatabaseOutage } from '../storage/database/outage.js';
import { faultFields, LOG, type Log } from '../telemetry/log.js';
import { BodyRefused } from './body.js';
import { contextOf } from './context.js';
import { Refusal } from './refusal.js';
import { type RenderedError, renderError } from './rendered-error.js';

const NOT_FOUND = 404;
const REQUEST_TIMEOUT = 408;
const BAD_REQUEST = 400;

/** What the layers below throw, as the contract's errors. A fault stays a fault. */
function asRefusal(error: unknown): unknown {
  if (error instanceof BodyRefused)
    return new Refusal(error.problem === 'too_large' ? 'request_too_large_error' : 'request_timeout_error');
  if (isDatabaseOutage(error)) return new Refusal('overloaded_error');
  // Nest throws these before a route is found: no such path or method, or a path that cannot be decoded.
  if (error instanceof HttpException && error.getStatus() === NOT_FOUND)
    return new Refusal('not_found_error', { message: 'No such path or method.' });
  if (error instanceof URIError || (error instanceof HttpException && error.getStatus() === BAD_REQUEST))
    return new Refusal('not_found_error', { message: 'No such path or method.' });
  return error;
}

/** The only place that writes an error response. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const hungUp = error instanceof BodyRefused && error.problem === 'hang_up';
    if (hungUp || response.headersSent || response.destroyed) return void response.destroy();
    const context = contextOf(request);
    const rendered = renderError(asRefusal(error)) ?? this.fault(error, context.id);
    context.facts.errorType = rendered.errorType;
    // What is still to come of a body that did not come in time must not be taken for the next request.
    if (rendered.status === REQUEST_TIMEOUT) response.setHeader('connection', 'close');
    response.status(rendered.status).set(rendered.headers).type('application/json').send(stringify(rendered.body));
  }

  private fault(error: unknown, requestId: string): RenderedError {
    this.log.error({ request_id: requestId, ...faultFields(error) }, 'fault');
    const rendered = renderError(new Refusal('api_error'));
    if (!rendered) throw new Error('The error table has no api_error');
    return rendered;
  }
}
