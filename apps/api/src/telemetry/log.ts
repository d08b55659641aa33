import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/** Nest's token for the log. */
export const LOG = Symbol('log');
export type Log = Logger;
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/**
 * Structured lines on standard error, so that standard output stays free for what a person reads.
 * Nothing a caller sent is ever passed to it: ids, names of operations, counts and times only.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino(
    { level, base: { service: 'assay' }, timestamp: stdTimeFunctions.isoTime, messageKey: 'message' },
    destination,
  );
}

/** What is safe to log of a fault: where it happened, never the message of a database or parser that may quote input. */
export function faultFields(error: unknown): { fault: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { fault: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at ')) ?? [];
  return { fault: error.name, ...code, stack: frames.slice(0, 12).join('\n') };
}

/** Nest's own messages: its wiring is only of interest when looking for a fault. */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Log) {}

  log(message: unknown): void {
    this.sink.debug({ from: 'nest' }, String(message));
  }

  warn(message: unknown): void {
    this.sink.warn({ from: 'nest' }, String(message));
  }

  error(message: unknown): void {
    if (message instanceof Error) this.sink.error({ from: 'nest', ...faultFields(message) }, 'fault');
    else this.sink.error({ from: 'nest' }, String(message));
  }
}
