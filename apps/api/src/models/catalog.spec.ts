import { ModelCatalog } from './catalog.js';

const engine = (id: string, createdAt: string, ...aliases: string[]) => ({
  model: { id, aliases, createdAt, inputUsdPerMillionTokens: 0.042, calibration: [] },
});

const catalog = new ModelCatalog([
  engine('assay-1.0', '2026-01-01T00:00:00.000Z', 'assay-latest', 'assay-1.1'),
  engine('assay-1.1', '2026-06-01T00:00:00.000Z', 'assay-latest'),
  engine('assay-flash-1.0', '2026-03-01T00:00:00.000Z', 'assay-flash-latest'),
]);

test('lists the newest first', () => {
  expect(catalog.engines.map(({ model }) => model.id)).toEqual(['assay-1.1', 'assay-flash-1.0', 'assay-1.0']);
});

test('an alias points to the newest release that claims it', () => {
  expect(catalog.find('assay-latest')?.model.id).toBe('assay-1.1');
  expect(catalog.aliases()).toEqual([
    ['assay-flash-latest', 'assay-flash-1.0'],
    ['assay-latest', 'assay-1.1'],
  ]);
  expect(catalog.aliasesOf('assay-1.0')).toEqual([]);
});

test('a pinned id never moves, whatever aliases claim', () => {
  expect(catalog.find('assay-1.1')?.model.id).toBe('assay-1.1');
  expect(catalog.find('assay-1.0')?.model.id).toBe('assay-1.0');
});

test.each(['', 'assay-2.0', 'ASSAY-1.0', '__proto__'])('knows no model "%s"', (name) => {
  expect(catalog.find(name)).toBeUndefined();
});
