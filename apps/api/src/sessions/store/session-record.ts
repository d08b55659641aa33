import type { EndedSession } from '@assay/contract';
import type { EndReason } from '../ending.js';

/** A session as the database knows it. */
export interface SessionRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly keyId: string;
  /** The process whose memory it lives in. */
  readonly holder: string;
  readonly expiresAt: Date;
  readonly frames: number;
  readonly inputTokens: number;
  readonly reason: EndReason | null;
}

export const endedSession = ({ id, frames, inputTokens, reason }: SessionRecord): EndedSession => {
  if (reason === null) throw new Error('The session has not ended');
  return {
    session_id: id,
    state: 'ended',
    reason,
    frames,
    usage: { input_tokens: inputTokens, output_tokens: 0 },
  };
};
