import { operationTable, stringify } from '@assay/contract';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, map, type Observable, switchMap } from 'rxjs';
import { CONFIG, type Config } from '../config/load.js';
import { checkReply } from './check-reply.js';
import { contextOf, type RequestContext } from './context.js';
import { withDeadline } from './deadline.js';
import { operationOf } from './operation-of.js';
import { readInput } from './read-input.js';
import { Written } from './written.js';

/** Around every operation of the contract: the body is read and checked before it, the reply is written after it. */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const id = operationOf(execution.getHandler());
    if (!id) return next.handle();
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const context = contextOf(request);
    const { bodyLimit, streamed } = operationTable[id];
    const before = bodyLimit === null || streamed ? Promise.resolve() : this.read(request, context, id, bodyLimit);
    return from(before).pipe(
      // A streamed body may take longer to arrive than any answer.
      switchMap(() =>
        streamed
          ? next.handle()
          : withDeadline(next.handle(), this.config.ASSAY_REQUEST_TIMEOUT_SECONDS * 1_000, context),
      ),
      map((reply: unknown) => {
        if (this.config.ASSAY_CHECK_RESPONSES === 'on') checkReply(id, reply, context);
        if (reply === undefined || reply instanceof Written) return undefined;
        http.getResponse<Response>().type('application/json');
        return stringify(reply);
      }),
    );
  }

  private async read(
    request: Request,
    context: RequestContext,
    id: Parameters<typeof readInput>[0],
    limitBytes: number,
  ): Promise<void> {
    const timeoutMs = this.config.ASSAY_BODY_TIMEOUT_SECONDS * 1_000;
    context.checked.body = await readInput(id, request, context, { limitBytes, timeoutMs });
  }
}
