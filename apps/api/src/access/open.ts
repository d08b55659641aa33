import { SetMetadata } from '@nestjs/common';

/** Metadata of a route that anyone may call. */
export const OPEN = 'access:open';

/** Opens a route to callers without a key; the reason is for the reader. Without this, and outside the contract, a route is closed. */
export const Open = (_reason: string) => SetMetadata(OPEN, true);
