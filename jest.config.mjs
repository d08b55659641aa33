const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const project = (name, folder) => ({
  displayName: name,
  rootDir: import.meta.dirname,
  roots: [`<rootDir>/${folder}`],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironment: '<rootDir>/tools/run/jest-environment.cjs',
  setupFiles: ['<rootDir>/tools/run/jest-setup.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@assay/api/safety$': '<rootDir>/apps/api/src/safety/index.ts',
    '^@assay/(contract|client|inference|vision)$': '<rootDir>/packages/$1/src/index.ts',
  },
});

export default {
  // Timing is never asserted: this only ends what hangs, on a machine that is busy with other things too.
  testTimeout: 60_000,
  projects: [
    project('contract', 'packages/contract'),
    project('client', 'packages/client'),
    project('inference', 'packages/inference'),
    project('vision', 'packages/vision'),
    project('api', 'apps/api'),
    project('tools', 'tools'),
  ],
};
