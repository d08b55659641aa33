import type { Face, FoundFace } from '../faces/face-reader.ts';
import type { Size } from '../picture/orientation.ts';
import type { UnreadableReason } from '../picture/picture-error.ts';

/** Whose template is made: nobody's, that of the largest face an enrollment can take, everyone's. */
export type Templates = 'none' | 'largest' | 'all';

export interface PictureFaces {
  /** Of the picture as it was sent. */
  readonly size: Size;
  /** Largest first; those whose template was asked for carry it. */
  readonly faces: ReadonlyArray<FoundFace & Partial<Pick<Face, 'template'>>>;
}

/** What the thread is started with. */
export interface Opening {
  readonly folder: string;
  readonly threads: number;
}

/** What is said to the thread. */
export type Order =
  | { readonly say: 'read'; readonly call: number; readonly bytes: Uint8Array; readonly templates: Templates }
  | { readonly say: 'leave'; readonly call: number }
  /** The run that asked may compute now. */
  | { readonly say: 'go'; readonly turn: number };

/** What the thread says. */
export type Report =
  | { readonly say: 'open'; readonly id: string }
  | { readonly say: 'unusable'; readonly message: string }
  | { readonly say: 'faces'; readonly call: number; readonly faces: PictureFaces }
  | { readonly say: 'unreadable'; readonly call: number; readonly reason: UnreadableReason; readonly message: string }
  | { readonly say: 'failed'; readonly call: number; readonly message: string }
  /** One run of one network wants to compute, and then has. */
  | { readonly say: 'turn'; readonly turn: number }
  | { readonly say: 'over'; readonly turn: number };
