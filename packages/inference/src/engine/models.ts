import { join } from 'node:path';
import type { Bundle, NliBundle } from '../bundle/load.js';
import { loadBundles } from '../bundle/registry.js';
import { MemoryBudget } from '../context/memory.js';
import { NliEngine } from '../nli/nli-engine.js';
import { Runtime } from '../runtime/runtime.js';
import type { EngineEvent } from '../scheduler/events.js';
import { DEFAULT_ADMITTED_TOKENS, Scheduler } from '../scheduler/scheduler.js';
import type { Priority } from '../scheduler/ticket.js';
import type { Engine } from './engine.js';
import { UnknownModelError } from './errors.js';
import { PrefixEngine } from './prefix/prefix-engine.js';
import { memoryBytes, processors } from './resources.js';

export interface ModelsOptions {
  /** Folders whose subfolders are bundles. */
  readonly roots: readonly string[];
  /** Threads that one step computes on; the processors of the control group by default. */
  readonly threads?: number | undefined;
  /** For all kept contexts together; a third of the memory, at most 2 GiB, by default. */
  readonly contextBytes?: number | undefined;
  /** What a single step may take beside them; 0.4 of the memory by default. */
  readonly scratchBytes?: number | undefined;
  readonly admittedTokens?: Readonly<Record<Priority, number>> | undefined;
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
}

const MOST_CONTEXT_BYTES = 2 * 1024 ** 3;

/** All installed models, on one thread of inference, one scheduler and one memory budget. */
export class Models {
  private readonly engines: readonly Engine[];
  private readonly runtime: Runtime;
  readonly memory: MemoryBudget;

  private constructor(engines: readonly Engine[], runtime: Runtime, memory: MemoryBudget) {
    this.engines = engines;
    this.runtime = runtime;
    this.memory = memory;
  }

  /** Checks every bundle and opens its graphs; throws a `BundleError` for one that is not what it says. */
  static async open(options: ModelsOptions): Promise<Models> {
    const bundles = await loadBundles(options.roots);
    const { onEvent } = options;
    const runtime = new Runtime(options.threads ?? processors());
    const limit = options.contextBytes ?? Math.min(MOST_CONTEXT_BYTES, Math.floor(memoryBytes() / 3));
    const memory = new MemoryBudget(limit, (bytes) => onEvent?.({ kind: 'evicted', bytes }));
    const admittedTokens = options.admittedTokens ?? DEFAULT_ADMITTED_TOKENS;
    const scheduler = new Scheduler(runtime, { admittedTokens, ...(onEvent ? { onEvent } : {}) });
    const scratchLimit = options.scratchBytes ?? Math.floor(memoryBytes() * 0.4);
    const contexts = { last: 0 };
    try {
      for (const bundle of bundles) await load(runtime, bundle);
    } catch (error) {
      await runtime.close();
      throw error;
    }
    const engines = bundles.map((bundle): Engine => {
      if (isNli(bundle)) return new NliEngine(bundle, scheduler);
      const { layers, heads, headDim, kvType } = bundle.manifest.architecture;
      const numbersPerSlot = 2 * layers * heads * headDim;
      const keeper = {
        memory,
        model: bundle.manifest.id,
        bytesPerSlot: numbersPerSlot * (kvType === 'float16' ? 2 : 4),
        generation: () => runtime.generation,
        free: (context: number) => void runtime.run({ do: 'free', context }).catch(() => undefined),
        nextId: () => ++contexts.last,
      };
      return new PrefixEngine(bundle, {
        scheduler,
        keeper,
        heads,
        numbersPerSlot,
        calibration: bundle.calibration,
        scratchLimit,
      });
    });
    return new Models(engines, runtime, memory);
  }

  list(): readonly Engine[] {
    return this.engines;
  }

  /** By id or alias. Throws `UnknownModelError`. */
  resolve(name: string): Engine {
    const engine = this.engines.find(({ model }) => model.id === name || model.aliases.includes(name));
    if (engine === undefined) throw new UnknownModelError(name);
    return engine;
  }

  /** Ends the inference thread; the next work starts another, and kept states are read again. */
  async restart(): Promise<void> {
    await this.runtime.restart();
  }

  async close(): Promise<void> {
    await this.runtime.close();
  }
}

function isNli(bundle: Bundle): bundle is NliBundle {
  return bundle.manifest.engine === 'nli-cross-encoder';
}

async function load(runtime: Runtime, bundle: Bundle): Promise<void> {
  const { folder, manifest } = bundle;
  if (manifest.engine === 'nli-cross-encoder')
    return await runtime.loadPairs(manifest.id, join(folder, manifest.graph));
  await runtime.load({
    id: manifest.id,
    readGraph: join(folder, manifest.graphs.read),
    askGraph: join(folder, manifest.graphs.ask),
    shape: manifest.architecture,
  });
}
