import type { DecideRequest } from '@assay/contract';
import { Injectable } from '@nestjs/common';
import { PictureReading } from '../../images/reading/picture-reading.js';
import { Safety } from '../../safety/safety.js';
import { Answering } from '../answering.js';
import { EvidenceGathering } from '../evidence.js';
import { KeptContext } from './kept-context.js';

/** What stays the same while frames come and go. */
export type FixedRequest = Pick<DecideRequest, 'model' | 'instructions' | 'state' | 'questions'>;

/** Decisions about a state that is kept and grows: the same checks, the same engine and the same answers as one that is sent whole. */
@Injectable()
export class KeptAnswering {
  constructor(
    private readonly answering: Answering,
    private readonly safety: Safety,
    private readonly pictures: PictureReading,
    private readonly evidence: EvidenceGathering,
  ) {}

  /** Refuses what a decision about the fixed part alone is refused for, in the same order; does no model work. */
  prepare(request: FixedRequest, window: number): KeptContext {
    const { engine, asked } = this.answering.prepare(request);
    const { safety, pictures, evidence } = this;
    return new KeptContext({ engine, window, safety, pictures, evidence }, asked);
  }
}
