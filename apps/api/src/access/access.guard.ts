import { operationTable } from '@assay/contract';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { contextOf } from '../http/context.js';
import { operationOf } from '../http/operation-of.js';
import { Refusal } from '../http/refusal.js';
import { Authenticator } from './authenticator.js';
import { isOpen } from './open.js';
import { DEFAULT_STORAGE_LOCATION } from './workspaces/workspace.js';

const BEARER = /^Bearer +(\S+) *$/i;

/** Who may call what: the scope comes from the table of operations, and a route without any declared access is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(@Inject(Authenticator) private readonly authenticator: Authenticator) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const handler = execution.getHandler();
    if (isOpen(handler)) return true;
    const id = operationOf(handler);
    if (!id) throw new Error(`${execution.getClass().name}.${handler.name} declares no access`);

    const request = execution.switchToHttp().getRequest<Request>();
    const context = contextOf(request);
    context.facts.operation = id;
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const caller = token === undefined ? undefined : await this.authenticator.authenticate(token);
    if (!caller) throw new Refusal('authentication_error');
    context.caller = caller;
    context.facts.keyId = caller.key.id;
    context.facts.workspaceId = caller.workspace.id;

    const { scope, errors } = operationTable[id];
    if (caller.workspace.suspended) throw new Refusal('workspace_suspended');
    if (scope === 'full' && caller.key.scope !== 'full') throw new Refusal('key_scope_denied');
    const elsewhere = caller.workspace.storageLocation !== DEFAULT_STORAGE_LOCATION;
    if (elsewhere && errors.includes('collections_region_unavailable'))
      throw new Refusal('collections_region_unavailable');
    return true;
  }
}
