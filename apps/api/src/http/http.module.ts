import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AccessGuard } from '../access/access.guard.js';
import { ErrorFilter } from './error.filter.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { RequestLineGuard } from './request-line.guard.js';

/** The way of every request, in this order: access, what stands above the body, the body, the handler; errors at the end. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RequestLineGuard },
    { provide: APP_INTERCEPTOR, useClass: OperationInterceptor },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class HttpModule {}
