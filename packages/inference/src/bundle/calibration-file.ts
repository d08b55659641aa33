import type { CalibrationBucket, CalibrationMeasure } from '../calibration/calibration.js';
import { array, fail, number, object, oneOf, string, whole } from './shape.js';

const TYPES = ['choice', 'truth', 'score', 'number'] as const;

export interface CalibrationFile {
  readonly buckets: readonly CalibrationBucket[];
  readonly measured: readonly CalibrationMeasure[];
}

export function parseCalibration(json: unknown): CalibrationFile {
  const file = object(json, 'calibration');
  return {
    buckets: array(file['buckets'], 'buckets').map((value, index) => bucket(object(value, `buckets[${index}]`))),
    measured: array(file['measured'] ?? [], 'measured').map((value, index) =>
      measure(object(value, `measured[${index}]`)),
    ),
  };
}

function bucket(value: Readonly<Record<string, unknown>>): CalibrationBucket {
  const temperature = number(value['temperature'], 'temperature');
  if (temperature <= 0) fail('temperature', 'above 0');
  return {
    type: oneOf(value['type'], 'type', TYPES),
    min_candidates: whole(value['min_candidates'], 'min_candidates'),
    max_candidates: whole(value['max_candidates'], 'max_candidates'),
    temperature,
    ...(value['bias'] === undefined ? {} : { bias: number(value['bias'], 'bias') }),
  };
}

function measure(value: Readonly<Record<string, unknown>>): CalibrationMeasure {
  const interval = value['interval'] === undefined ? undefined : array(value['interval'], 'interval');
  return {
    type: oneOf(value['type'], 'type', TYPES),
    set: string(value['set'], 'set'),
    labels: number(value['labels'], 'labels'),
    error: number(value['error'], 'error'),
    ...(interval ? { interval: [number(interval[0], 'interval'), number(interval[1], 'interval')] as const } : {}),
    ...(value['bins'] === undefined ? {} : { bins: number(value['bins'], 'bins') }),
  };
}
