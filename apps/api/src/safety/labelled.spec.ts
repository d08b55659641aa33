import { join } from 'node:path';
import { type LabelledRequest, readLabelled } from './labelled.js';

const FOLDER = join(import.meta.dirname, 'labelled');

describe('the labelled requests', () => {
  let all: LabelledRequest[];
  beforeAll(async () => {
    all = await readLabelled(FOLDER);
  });

  it('are at least 300, of both categories and many kinds, each once', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ request }) => JSON.stringify(request))).size).toBe(all.length);
    expect(all.filter(({ label }) => label.harm).length).toBeGreaterThanOrEqual(80);
    expect(all.filter(({ label }) => label.self_harm).length).toBeGreaterThanOrEqual(50);
    const harmless = all.filter(({ label }) => !label.harm && !label.self_harm);
    expect(new Set(harmless.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
  });

  it('never show the measured half a state of the fitted half', () => {
    const halves = Map.groupBy(all, ({ request }) => JSON.stringify(request.state));
    for (const group of halves.values()) expect(new Set(group.map(({ half }) => half)).size).toBe(1);
    const measured = all.filter(({ half }) => half === 'measure').length;
    expect(Math.abs(measured - all.length / 2)).toBeLessThan(all.length * 0.05);
  });

  it('ask to detect the very states that others ask to be helped with', () => {
    const asking = new Set(
      all.filter(({ label }) => label.harm || label.self_harm).map(({ request }) => JSON.stringify(request.state)),
    );
    const detecting = all.filter(
      ({ kind, request }) => kind === 'risk_detection' && asking.has(JSON.stringify(request.state)),
    );
    expect(detecting.length).toBeGreaterThanOrEqual(20);
    expect(detecting.every(({ label }) => !label.harm && !label.self_harm)).toBe(true);
  });
});
