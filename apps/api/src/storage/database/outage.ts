import { errorCode, errorMessage } from '../error-code.js';

/** SQLSTATE classes and codes that say that the server is away, restarting or full, not that the statement was wrong. */
const OUTAGE_CODES = new Set(['57P01', '57P02', '57P03', '53300', '53200', '53100', '58030', '57014']);
const CONNECTION_CLASS = '08';
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
const CLIENT_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error/;

/** True when trying again later may succeed: the caller is then told to retry (529), and nothing was recorded. */
export function isDatabaseOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = errorCode(error);
  if (code.startsWith(CONNECTION_CLASS) || OUTAGE_CODES.has(code) || NETWORK_CODES.has(code)) return true;
  if (CLIENT_MESSAGES.test(errorMessage(error))) return true;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseOutage);
  return 'driverError' in error && isDatabaseOutage(error.driverError);
}
