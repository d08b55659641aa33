export { flatMetadata } from './metadata.js';
export { anyOfRequired, exactlyOneOf, maxProperties, minProperties, ordered, uniqueItems } from './objects.js';
export { ownRecord } from './record.js';
