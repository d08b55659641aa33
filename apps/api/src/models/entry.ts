import {
  BATCH_PRICE_FACTOR,
  DEFAULT_WINDOW,
  durations,
  limits,
  type Model,
  type ModelCalibration,
} from '@assay/contract';
import type { ModelInfo } from '@assay/inference';
import { IMAGES_PER_FRAME } from '../answering/kept/content.js';

/** Questions of one request; the contract's own bound. */
const QUESTIONS = 1_000;

/** What the operator sets. */
export interface PublishedRates {
  readonly requestsPerMinute: number;
  readonly sessionsPerKey: number;
}

/** What a model's entry in the list publishes. */
export function modelEntry(model: ModelInfo, aliases: string[], rates: PublishedRates): Model {
  return {
    id: model.id,
    aliases,
    created_at: model.createdAt,
    price: { input_usd_per_million_tokens: model.inputUsdPerMillionTokens },
    limits: {
      request_tokens: limits.requestTokens.value,
      questions: QUESTIONS,
      choice_options: limits.choiceOptions.value,
      score_levels: limits.scoreLevels.value,
      number_values: limits.numberValues.value,
      images: limits.images.value,
      collections: limits.collections.value,
      body_bytes: limits.jsonBody.value,
    },
    session: {
      frame_tokens: limits.frameTokens.value,
      images_per_frame: IMAGES_PER_FRAME,
      window_default: DEFAULT_WINDOW,
      window_max: limits.sessionWindow.value,
      ttl_seconds_default: durations.sessionDefaultSeconds,
      ttl_seconds_max: limits.sessionSeconds.value,
      sessions_per_key: rates.sessionsPerKey,
    },
    batch: {
      price_factor: BATCH_PRICE_FACTOR,
      requests: limits.batchRequests.value,
      upload_bytes: limits.batchUpload.value,
      add_bytes: limits.batchAdd.value,
      active_batches: limits.activeBatches.value,
      active_requests: limits.activeRequests.value,
    },
    rate_limit: { requests_per_minute: rates.requestsPerMinute },
    calibration: calibrationOf(model),
  };
}

/** One figure per question type: that of the largest labelled set it was measured on. */
function calibrationOf({ calibration }: ModelInfo): ModelCalibration {
  const largestLast = [...calibration].sort((a, b) => a.labels - b.labels);
  return Object.fromEntries(largestLast.map(({ type, error, labels, set }) => [type, { error, labels, set }]));
}
