/** `kernel.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQAFBxECBm1lbW9yeQIABHNjYW4AAAq1AQGyAQICfwN7IAAgA0EHdGohBAJAA0AgACAETw0B/QwAAAAAAAAAAAAAAAAAAAAAIQZBACEFA0AgACAFav0ABAAhByABIAVq/QAEACEIIAYgB/2HASAI/YcB/boB/a4BIQYgBiAH/YgBIAj9iAH9ugH9rgEhBiAFQRBqIQUgBUGAAUkNAAsgAiAG/RsAIAb9GwFqIAb9GwIgBv0bA2pqNgIAIAJBBGohAiAAQYABaiEADAALCws=';

/** The part of it that is used here; its types come with browsers only. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (assembled: object) => { readonly exports: unknown };
};

export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** By pages of 64 KiB. */
  grow(pages: number): number;
}

/** Adds up products of signed bytes with the processor's vector instructions; whole numbers, so exact and the same everywhere. */
export interface Kernel {
  readonly memory: KernelMemory;
  /** Addresses of the rows, the query and the results, and the number of rows. */
  scan(rows: number, query: number, out: number, count: number): void;
}

const assembled = new WebAssembly.Module(Buffer.from(MODULE, 'base64'));

/** With a memory of its own, which grows only. */
export const newKernel = (): Kernel => new WebAssembly.Instance(assembled).exports as Kernel;
