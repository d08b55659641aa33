import type { Surface } from '../run.js';
import { access } from './access.js';
import { batches } from './batches.js';
import { collections } from './collections.js';
import { conventions } from './conventions.js';
import { decide } from './decide.js';
import { images } from './images.js';
import { limits } from './limits.js';
import { models } from './models.js';
import { routes } from './routes.js';
import { safety } from './safety.js';
import { sameness } from './sameness.js';
import { sessionStream } from './session-stream.js';
import { sessions } from './sessions.js';
import { uploads } from './uploads.js';
import { validation } from './validation.js';
import { waiting } from './waiting.js';

/** In the order of the report. Another surface of the service adds its file here. */
export const surfaces: readonly Surface[] = [
  { name: 'conventions', checks: conventions },
  { name: 'access', checks: access },
  { name: 'routes', checks: routes },
  { name: 'models', checks: models },
  { name: 'decide', checks: decide },
  { name: 'sameness', checks: sameness },
  { name: 'validation', checks: validation },
  { name: 'limits', checks: limits },
  { name: 'images', checks: images },
  { name: 'uploads', checks: uploads },
  { name: 'collections', checks: collections },
  { name: 'sessions', checks: [...sessions, ...sessionStream] },
  { name: 'batches', checks: batches },
  { name: 'safety', checks: safety },
  { name: 'waiting', checks: waiting },
];
