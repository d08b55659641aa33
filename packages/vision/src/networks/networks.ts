import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  type FaceBundleManifest,
  FaceBundleUnusable,
  type GraphFile,
  readFaceManifest,
  unusableFiles,
} from './bundle.ts';

export type Feeds = Readonly<Record<string, Tensor>>;
export type Outputs = Awaited<ReturnType<InferenceSession['run']>>;

/** Runs one graph once. A scheduler may stand here and decide when. */
export type RunSession = (session: InferenceSession, feeds: Feeds) => Promise<Outputs>;

export interface NetworkOptions {
  /** Processor threads one run computes on. */
  readonly threads: number;
  readonly run?: RunSession;
}

const runAtOnce: RunSession = (session, feeds) => session.run(feeds);

/** Pictures for a network: red, green, blue planes. */
export const planes = (data: Float32Array, width: number, height: number): Tensor =>
  new Tensor('float32', data, [1, 3, height, width]);

/** The three graphs of a face bundle whose files are what its manifest promises. */
export class FaceNetworks {
  readonly manifest: FaceBundleManifest;
  readonly #sessions: Readonly<Record<GraphFile, InferenceSession>>;
  readonly #run: RunSession;

  private constructor(
    manifest: FaceBundleManifest,
    sessions: Readonly<Record<GraphFile, InferenceSession>>,
    run: RunSession,
  ) {
    this.manifest = manifest;
    this.#sessions = sessions;
    this.#run = run;
  }

  static async load(folder: string, { threads, run = runAtOnce }: NetworkOptions): Promise<FaceNetworks> {
    const manifest = await readFaceManifest(folder);
    const unusable = await unusableFiles(folder, manifest);
    if (unusable.length > 0) throw new FaceBundleUnusable(`missing or changed: ${unusable.join(', ')}`);
    const open = (name: GraphFile) =>
      InferenceSession.create(join(folder, name), {
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        // Pictures differ in size, so a plan of memory made for one does not fit the next.
        enableMemPattern: false,
        logSeverityLevel: 3,
      });
    const sessions = {
      'detector.onnx': await open('detector.onnx'),
      'landmarks.onnx': await open('landmarks.onnx'),
      'template.onnx': await open('template.onnx'),
    };
    return new FaceNetworks(manifest, sessions, run);
  }

  /** One output of one run, as numbers. */
  async run(graph: GraphFile, feeds: Feeds): Promise<(output: string) => Float32Array> {
    const outputs = await this.#run(this.#sessions[graph], feeds);
    return (output) => {
      const data = outputs[output]?.data;
      if (!(data instanceof Float32Array)) throw new Error(`${graph} gave no ${output}`);
      return data;
    };
  }

  async close(): Promise<void> {
    for (const session of Object.values(this.#sessions)) await session.release();
  }
}
