import type { Engine, ModelInfo } from '@assay/inference';

type ByCreation = (a: { model: ModelInfo }, b: { model: ModelInfo }) => number;

const newestFirst: ByCreation = ({ model: a }, { model: b }) =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1;

/** Which models there are, and what their names mean now. */
export class ModelCatalog<Model extends { model: ModelInfo } = Engine> {
  /** Newest first. */
  readonly engines: readonly Model[];
  private readonly pointedTo = new Map<string, Model>();

  constructor(installed: readonly Model[]) {
    this.engines = [...installed].sort(newestFirst);
    // An alias belongs to the newest release that claims it, and never hides a pinned id.
    for (const engine of this.engines.toReversed())
      for (const alias of engine.model.aliases) this.pointedTo.set(alias, engine);
    for (const { model } of this.engines) this.pointedTo.delete(model.id);
  }

  /** The version that a pinned id or an alias means. */
  find(name: string): Model | undefined {
    return this.engines.find(({ model }) => model.id === name) ?? this.pointedTo.get(name);
  }

  aliases(): [alias: string, id: string][] {
    return [...this.pointedTo]
      .map(([alias, { model }]): [string, string] => [alias, model.id])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  aliasesOf(id: string): string[] {
    return this.aliases()
      .filter(([, pointed]) => pointed === id)
      .map(([alias]) => alias);
  }
}
