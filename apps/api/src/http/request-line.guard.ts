import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { contextOf } from './context.js';
import { operationOf } from './operation-of.js';
import { readRequestLine } from './request-line.js';

/** Runs after the access guard and before a surface's own guards, which may then look up the ids in the path. */
@Injectable()
export class RequestLineGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const id = operationOf(execution.getHandler());
    if (!id) return true;
    const request = execution.switchToHttp().getRequest<Request>();
    Object.assign(contextOf(request).checked, readRequestLine(id, request));
    return true;
  }
}
