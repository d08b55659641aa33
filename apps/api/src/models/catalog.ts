import type { ModelCalibration } from '@assay/contract';

/** One model version as its bundle describes it. */
export interface InstalledModel {
  id: string;
  aliases: readonly string[];
  createdAt: string;
  inputUsdPerMillionTokens: number;
  calibration: ModelCalibration;
}

/** Which models there are and what their names mean now. */
export class ModelCatalog {
  /** Newest first. */
  readonly models: readonly InstalledModel[];
  private readonly pointedTo = new Map<string, InstalledModel>();

  constructor(installed: readonly InstalledModel[]) {
    this.models = [...installed].sort((a, b) =>
      a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
    );
    // An alias belongs to the newest release that claims it, and never hides a pinned id.
    for (const model of this.models.toReversed()) for (const alias of model.aliases) this.pointedTo.set(alias, model);
    for (const { id } of this.models) this.pointedTo.delete(id);
  }

  /** The version that a pinned id or an alias means. */
  find(name: string): InstalledModel | undefined {
    return this.models.find(({ id }) => id === name) ?? this.pointedTo.get(name);
  }

  aliases(): [alias: string, id: string][] {
    return [...this.pointedTo]
      .map(([alias, { id }]): [string, string] => [alias, id])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  aliasesOf(wanted: InstalledModel): string[] {
    return this.aliases()
      .filter(([, id]) => id === wanted.id)
      .map(([alias]) => alias);
  }
}
