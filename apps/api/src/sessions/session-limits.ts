import { limits } from '@assay/contract';

/** What one socket may do to this process. Tests make them smaller. */
export interface StreamLimits {
  /** One message; over it the socket is closed with 1009. */
  readonly messageBytes: number;
  /** Replies that the client has not taken; over it the socket is closed with 4008. */
  readonly unreadBytes: number;
  /** Numbers of passed-over frames that no reply has told; over it nothing more is read until one has. */
  readonly untoldFrames: number;
  /** A peer that has not answered a ping by the next one is gone. */
  readonly pingMs: number;
  /** What a peer gets to finish the closing handshake. */
  readonly closeMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  messageBytes: limits.jsonBody.value,
  unreadBytes: 1024 * 1024,
  untoldFrames: 100_000,
  pingMs: 20_000,
  closeMs: 5_000,
};

/** Nest's token for the limits of a stream. */
export const STREAM_LIMITS_TOKEN = Symbol('stream limits');
