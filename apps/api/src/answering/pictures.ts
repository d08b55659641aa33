import { type DecideRequest, limits } from '@assay/contract';
import { Refusal } from '../http/refusal.js';

/** A question about a picture is never answered from nothing: no installed model reads pictures, so they are refused. */
export function refusePictures({ images = [], collections = [] }: Pick<DecideRequest, 'images' | 'collections'>): void {
  if (images.length > limits.images.value)
    throw new Refusal('api_usage_error', { message: limits.images.message(images.length) });
  if (collections.length > limits.collections.value)
    throw new Refusal('api_usage_error', { message: limits.collections.message(collections.length) });
  if (images.length > 0) throw new Refusal('api_usage_error', { message: 'No installed model can read pictures.' });
}
