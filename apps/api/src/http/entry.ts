import type { RequestHandler } from 'express';
import type { Log } from '../telemetry/log.js';
import type { Metrics } from '../telemetry/metrics.js';
import { endRequestSpan, traceRequest } from '../telemetry/traces.js';
import { openContext } from './context.js';

const UNROUTED = 'unrouted';

/** How long the rest of a body that nobody wants is taken in and thrown away before the connection is cut. */
const UNWANTED_BODY_MS = 10_000;

/** The door every request comes through: its id, its one log line, its measurements and its span. */
export function entry(log: Log, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const opened = openContext(request, response);
    response.setHeader('x-request-id', opened.id);
    metrics.inFlight.inc();
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => request.complete || request.destroy(), UNWANTED_BODY_MS).unref();
    });
    traceRequest(request.headers, request.method, (span) => {
      response.once('close', () => {
        const seconds = (performance.now() - started) / 1000;
        if (!response.writableFinished) opened.abandon('hang-up');
        const status = response.writableFinished ? response.statusCode : 499;
        const operation = opened.facts.operation ?? UNROUTED;
        metrics.inFlight.dec();
        metrics.requests.observe({ operation, status: String(status) }, seconds);
        endRequestSpan(span, operation, status);
        log.info(
          {
            request_id: opened.id,
            method: request.method,
            status,
            ms: Math.round(seconds * 10_000) / 10,
            ...line(opened.facts),
            operation,
          },
          'request',
        );
      });
      next();
    });
  };
}

function line(facts: ReturnType<typeof openContext>['facts']): Record<string, unknown> {
  return {
    ...(facts.keyId && { key: facts.keyId }),
    ...(facts.workspaceId && { workspace: facts.workspaceId }),
    ...(facts.model && { model: facts.model }),
    ...(facts.inputTokens !== undefined && { input_tokens: facts.inputTokens }),
    ...(facts.bodyBytes !== undefined && { body_bytes: facts.bodyBytes }),
    ...(facts.errorType && { error_type: facts.errorType }),
  };
}
