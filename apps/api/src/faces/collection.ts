/** A set of enrolled faces. Without a workspace it is public: every workspace reads it, none changes it, and its id is its name. */
export interface FaceCollection {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly items: number;
  /** Counts what was added and removed. */
  readonly changes: number;
  readonly createdAt: Date;
}

export interface Box {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export type Metadata = { readonly [key: string]: string | number | boolean };

/** What a caller says of a face. */
export interface ItemWords {
  readonly reference: string;
  readonly label: string | null;
  readonly metadata: Metadata;
}

export interface FaceItem extends ItemWords {
  readonly id: string;
  readonly collectionId: string;
  readonly facesFound: number;
  readonly box: Box;
  readonly priceNano: bigint;
  readonly createdAt: Date;
}

export interface NewFaceItem extends Omit<FaceItem, 'createdAt'> {
  readonly workspaceId: string;
  readonly template: Int8Array;
  /** Templates of different models cannot be compared. */
  readonly faceModel: string;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}
