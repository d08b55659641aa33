import { parentPort } from 'node:worker_threads';
import type * as Onnx from 'onnxruntime-node';
import type { Command, Reply, Request, RuntimeModel } from './commands.ts';
import { KeptContext, type KeptNumbers } from './kept.ts';

// The runtime's native code cannot read a Float16Array; without the class its library hands half floats over as their bits.
Reflect.deleteProperty(globalThis, 'Float16Array');
process.env['ORT_DISABLE_TELEMETRY'] = '1';
const { InferenceSession, Tensor } = await import('onnxruntime-node');

interface Loaded {
  readonly model: RuntimeModel;
  readonly read: Onnx.InferenceSession;
  readonly ask: Onnx.InferenceSession;
  /** For steps of huge scratch: gives its memory back after every run. Opened when first needed. */
  askOnce: Promise<Onnx.InferenceSession> | undefined;
  readonly open: (graph: string, keepScratch: boolean) => Promise<Onnx.InferenceSession>;
}

const models = new Map<string, Loaded>();
const pairModels = new Map<string, Onnx.InferenceSession>();
const contexts = new Map<number, { readonly kept: KeptContext; readonly loaded: Loaded }>();
const NOTHING = new Float32Array(0);

function openSession(graph: string, threads: number, keepScratch: boolean): Promise<Onnx.InferenceSession> {
  return InferenceSession.create(graph, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableMemPattern: false,
    enableCpuMemArena: keepScratch,
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}

async function load(model: RuntimeModel, threads: number): Promise<void> {
  const open = (graph: string, keepScratch: boolean) => openSession(graph, threads, keepScratch);
  const [read, ask] = await Promise.all([open(model.readGraph, true), open(model.askGraph, true)]);
  models.set(model.id, { model, read, ask, askOnce: undefined, open });
}

function context(id: number): { readonly kept: KeptContext; readonly loaded: Loaded } {
  const found = contexts.get(id);
  if (found === undefined) throw new Error(`no context ${id}`);
  return found;
}

/** One by one: a block read beside others differs from the same block read alone in its last bit. */
async function read(id: number, blocks: readonly Int32Array[]): Promise<void> {
  const { kept, loaded } = context(id);
  for (const tokens of blocks) {
    const { kv, pool } = await loaded.read.run({ ids: new Tensor('int32', tokens, [1, tokens.length]) });
    kept.append(kv!.data as KeptNumbers, tokens.length, (pool!.data as Float32Array).slice());
    kv!.dispose();
    pool!.dispose();
  }
}

/** The mean final state over all tokens of the blocks; nothing of them is kept. */
async function pool(model: string, blocks: readonly Int32Array[]): Promise<Float32Array> {
  const loaded = models.get(model);
  if (loaded === undefined) throw new Error(`no model ${model}`);
  const total = new Float64Array(loaded.model.shape.hidden);
  let tokensRead = 0;
  for (const tokens of blocks) {
    const { kv, pool: sum } = await loaded.read.run({ ids: new Tensor('int32', tokens, [1, tokens.length]) });
    (sum!.data as Float32Array).forEach((value, index) => {
      total[index]! += value;
    });
    tokensRead += tokens.length;
    kv!.dispose();
    sum!.dispose();
  }
  return Float32Array.from(total, (value) => value / tokensRead);
}

async function ask(command: Command & { do: 'ask' }): Promise<Float32Array> {
  const { statements, length } = command;
  const { kept, loaded } = context(command.context);
  const { shape } = loaded.model;
  // A row alone takes another path through matrix multiplication, with other last bits: it never is alone.
  const rows = statements.length === 1 ? [statements[0]!, statements[0]!] : statements;
  const ids = new Int32Array(rows.length * length);
  const mask = new Float32Array(rows.length * length);
  rows.forEach((tokens, row) => {
    ids.set(tokens, row * length);
    mask.fill(1, row * length, row * length + tokens.length);
  });
  if (!command.keepScratch) loaded.askOnce ??= loaded.open(loaded.model.askGraph, false);
  const session = command.keepScratch ? loaded.ask : await loaded.askOnce!;
  const { logits } = await session.run({
    ids: new Tensor('int32', ids, [rows.length, length]),
    mask: new Tensor('float32', mask, [rows.length, length]),
    kv: new Tensor(shape.kvType, kept.kv, [2 * shape.layers, shape.heads, kept.capacity, shape.headDim]),
    bias: new Tensor('float32', kept.bias, [kept.capacity]),
    u: new Tensor('float32', kept.mean(), [shape.hidden]),
  });
  return (logits!.data as Float32Array).slice(0, 2 * statements.length);
}

/** One pair alone and unpadded: what it gives is a function of the pair, whatever model this is. */
async function pair({ model, ids, types }: Command & { do: 'pair' }): Promise<Float32Array> {
  const session = pairModels.get(model);
  if (session === undefined) throw new Error(`no model ${model}`);
  const row = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const all = { input_ids: row(ids), attention_mask: row(ids.map(() => 1)), token_type_ids: row(types) };
  const feeds = Object.fromEntries(Object.entries(all).filter(([name]) => session.inputNames.includes(name)));
  const outputs = await session.run(feeds);
  return (outputs[session.outputNames[0]!]!.data as Float32Array).slice();
}

async function run(command: Command): Promise<Float32Array> {
  switch (command.do) {
    case 'load':
      await load(command.model, command.threads);
      return NOTHING;
    case 'loadPairs':
      pairModels.set(command.model, await openSession(command.graph, command.threads, true));
      return NOTHING;
    case 'pair':
      return await pair(command);
    case 'open': {
      const loaded = models.get(command.model);
      if (loaded === undefined) throw new Error(`no model ${command.model}`);
      contexts.set(command.context, { kept: new KeptContext(loaded.model.shape, command.slots), loaded });
      return NOTHING;
    }
    case 'resize':
      context(command.context).kept.resize(command.slots);
      return NOTHING;
    case 'read':
      await read(command.context, command.blocks);
      return NOTHING;
    case 'pool':
      return await pool(command.model, command.blocks);
    case 'remove':
      context(command.context).kept.remove(command.first, command.count);
      return NOTHING;
    case 'ask':
      return await ask(command);
    case 'free':
      contexts.get(command.context)?.kept.release();
      contexts.delete(command.context);
      return NOTHING;
  }
}

let turn: Promise<void> = Promise.resolve();
parentPort!.on('message', ({ call, command }: Request) => {
  turn = turn.then(async () => {
    const started = performance.now();
    let reply: Reply;
    try {
      reply = { call, values: await run(command), ms: performance.now() - started };
    } catch (error) {
      reply = { call, error: error instanceof Error ? error.message : String(error) };
    }
    parentPort!.postMessage(reply);
  });
});
