import { limits } from '@assay/contract';
import { Refusal } from '../http/refusal.js';
import type { DraftProblem, DraftRefused } from './store/drafts.js';
import type { EndProblem } from './store/ends.js';

export const NO_BATCH = 'This key has no batch with this id.';

const usage = (message: string) => new Refusal('api_usage_error', { message });
const over = (message: string) => new Refusal('batch_limit_exceeded', { message });
const notFound = () => new Refusal('not_found_error', { message: NO_BATCH });

const drafts: Readonly<Record<DraftProblem, (line: number) => Refusal>> = {
  not_found: notFound,
  not_a_draft: () => new Refusal('batch_state_conflict', { message: 'Requests can be added to a draft only.' }),
  too_many_requests: () => usage(limits.batchRequests.message('more')),
  too_many_bytes: () => new Refusal('request_too_large_error', { message: limits.batchUpload.message('') }),
  repeated_custom_id: (line) => usage(`Line ${line}: custom_id is in the batch already.`),
  too_many_active_batches: () => over(limits.activeBatches.message('')),
  too_many_active_requests: () => over(limits.activeRequests.message('')),
};

const ends: Readonly<Record<EndProblem, () => Refusal>> = {
  not_found: notFound,
  empty: () => usage('A batch without requests cannot be finalized.'),
  conflict: () => new Refusal('batch_state_conflict', { message: 'A cancelled batch cannot be finalized.' }),
};

export const draftRefusal = ({ problem, line }: DraftRefused): Refusal => drafts[problem](line ?? 0);
export const endRefusal = (problem: EndProblem): Refusal => ends[problem]();
