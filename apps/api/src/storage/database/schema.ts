import { ApiKeyRow } from '../../access/keys/api-key.row.js';
import { WorkspaceRow } from '../../access/workspaces/workspace.row.js';
import { UploadRow } from '../../images/uploads/upload.row.js';
import { LedgerEntryRow } from '../../metering/credit/ledger-entry.row.js';
import { RateLimitRow } from '../../metering/rate-limits/rate-limit.row.js';
import { IdempotencyKeyRow } from '../idempotency/idempotency-key.row.js';
import { Access1763676000000 } from './migrations/1763676000000-access.js';
import { Metering1763676001000 } from './migrations/1763676001000-metering.js';
import { Idempotency1763676002000 } from './migrations/1763676002000-idempotency.js';
import { Batches1763676006000 } from './migrations/1763676006000-batches.js';
import { Uploads1763676007000 } from './migrations/1763676007000-uploads.js';
import { Sessions1763676009000 } from './migrations/1763676009000-sessions.js';
import { Collections1763676010000 } from './migrations/1763676010000-collections.js';

/** Every table of the service; a row class lies in the room of the store that owns it. */
export const TABLES = [WorkspaceRow, ApiKeyRow, LedgerEntryRow, RateLimitRow, IdempotencyKeyRow, UploadRow] as const;

/** In order. A migration that has been released is never changed: add the next one. */
export const MIGRATIONS = [
  Access1763676000000,
  Metering1763676001000,
  Idempotency1763676002000,
  Batches1763676006000,
  Uploads1763676007000,
  Sessions1763676009000,
  Collections1763676010000,
] as const;
