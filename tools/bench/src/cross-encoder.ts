import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Tokens that the backbone has positions for. */
const POSITIONS = 512;
/** Any token that is neither special nor rare; what is read does not change what reading costs. */
const TOKEN = 2000;

/**
 * A plain cross-encoder of the same weights: state and statement read together by all layers, once for every
 * statement. It is the bundle's own `read` graph, which is those layers (and lays out keys and values, a few percent).
 */
export class CrossEncoder {
  private constructor(private readonly session: InferenceSession) {}

  static async open(graph: string, threads: number): Promise<CrossEncoder> {
    const options = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      enableMemPattern: false,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    };
    return new CrossEncoder(await InferenceSession.create(graph, options));
  }

  async run(rows: number, length: number): Promise<void> {
    await this.session.run({ ids: new Tensor('int32', new Int32Array(rows * length).fill(TOKEN), [rows, length]) });
  }

  /** A state longer than its positions is read in chunks, each with every statement. */
  async runInChunks(rows: number, state: number, statement: number): Promise<void> {
    const most = POSITIONS - statement - 42;
    for (let left = state; left > 0; left -= most) await this.run(rows, Math.min(left, most) + statement);
  }

  async runBlocks(count: number, length: number): Promise<void> {
    for (let block = 0; block < count; block += 1) await this.run(1, length);
  }
}
