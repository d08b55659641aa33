import { randomUUID } from 'node:crypto';

/** The name of an upload is never used again; that of a result file is its batch's, since it is the same however often it is written. */
export const newUploadName = (): string => `batches/uploads/${randomUUID()}`;
export const resultsName = (batchId: string): string => `batches/results/${batchId}`;
