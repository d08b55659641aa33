const { TestEnvironment } = require('jest-environment-node');

// onnxruntime's native code checks typed arrays against the outer realm, so the test realm must share them.
const SHARED = [
  'Float32Array',
  'Float64Array',
  'Float16Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
  'ArrayBuffer',
];

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of SHARED) if (globalThis[name]) this.global[name] = globalThis[name];
  }
};
