export type BundleProblem = 'no_manifest' | 'bad_manifest' | 'missing_file' | 'hash_differs' | 'id_taken';

/** A bundle that is not what its manifest says. It is refused as a whole. */
export class BundleError extends Error {
  readonly problem: BundleProblem;
  readonly bundle: string;

  constructor(bundle: string, problem: BundleProblem, detail: string) {
    super(`model bundle ${bundle}: ${detail}`);
    this.name = 'BundleError';
    this.problem = problem;
    this.bundle = bundle;
  }
}
