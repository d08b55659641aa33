import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FACE_BUNDLE_FORMAT, FaceThread, readFaceManifest } from '@assay/vision';

/** The folder of the face bundle among the bundles of a deployment; of several the one with the last name. */
async function findFaceBundle(root: string): Promise<string | undefined> {
  if (!existsSync(root)) return undefined;
  for (const name of readdirSync(root).sort().reverse()) {
    const manifest = await readFaceManifest(join(root, name)).catch(() => undefined);
    if (manifest?.format === FACE_BUNDLE_FORMAT) return join(root, name);
  }
  return undefined;
}

export interface FaceModelOptions {
  /** Folder whose subfolders are bundles. */
  readonly root: string;
  readonly threads: number;
}

/** The face networks, loaded when the first picture needs them: whoever sends none pays no memory for them. */
export class FaceModel {
  private opening: Promise<FaceThread | undefined> | undefined;

  constructor(private readonly options: FaceModelOptions) {}

  /** Nothing when no face bundle is installed; `FaceBundleUnusable` when the one that is cannot be used. */
  thread(): Promise<FaceThread | undefined> {
    const opening = this.opening ?? this.open();
    this.opening = opening;
    // What failed is tried again with the next picture: a file may have been put in its place meanwhile.
    opening.catch(() => {
      this.opening = undefined;
    });
    return opening;
  }

  async close(): Promise<void> {
    const thread = await this.opening?.catch(() => undefined);
    await thread?.close();
  }

  private async open(): Promise<FaceThread | undefined> {
    const folder = await findFaceBundle(this.options.root);
    return folder === undefined ? undefined : FaceThread.open(folder, { threads: this.options.threads });
  }
}
