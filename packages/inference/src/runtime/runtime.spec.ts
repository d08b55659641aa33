import { Runtime, RuntimeLostError } from './runtime.js';

describe('Runtime', () => {
  let runtime: Runtime;

  beforeEach(() => {
    runtime = new Runtime(1);
  });

  afterEach(() => runtime.close());

  it('tells what a command did wrong, and goes on', async () => {
    await expect(runtime.run({ do: 'open', context: 1, model: 'none', slots: 64 })).rejects.toThrow('no model none');
    await expect(runtime.run({ do: 'free', context: 1 })).resolves.toMatchObject({ values: new Float32Array(0) });
    await expect(runtime.load({ id: 'x', readGraph: 'no.onnx', askGraph: 'no.onnx', shape: SHAPE })).rejects.toThrow(
      'no.onnx',
    );
  });

  it('fails what was under way when its thread goes, starts another, and says that the contexts are gone', async () => {
    await runtime.run({ do: 'free', context: 1 });
    const before = runtime.generation;
    const lost = expect(runtime.run({ do: 'free', context: 1 })).rejects.toThrow(RuntimeLostError);
    await runtime.restart();
    await lost;
    expect(runtime.generation).not.toBe(before);
    await runtime.run({ do: 'free', context: 1 });
  });

  it('does nothing once it is closed', async () => {
    await runtime.run({ do: 'free', context: 1 });
    await runtime.close();
    await expect(runtime.run({ do: 'free', context: 1 })).rejects.toThrow(RuntimeLostError);
  });
});

const SHAPE = { layers: 1, heads: 1, headDim: 4, hidden: 4, kvType: 'float32' as const };
