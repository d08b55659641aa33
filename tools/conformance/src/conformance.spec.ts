import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, NotApplicable } from './check.js';
import { surfaces } from './checks/index.js';
import { claim } from './claims.js';
import { conformanceCommand } from './command.js';
import { reportText } from './report/text.js';
import { type Result, run } from './run.js';
import { openWrongService, type WrongService } from './testing/wrong-service.js';

/** Some of the requests are at the limits of size. */
const MINUTE = 60_000;
const KEY = `asy_live_${'k'.repeat(40)}`;

/** What cannot be broken by answering: the shape of the caller's own keys. */
const ABOUT_THE_CALLER = /^API keys: /;

describe('against a service that is wrong in every way', () => {
  let service: WrongService;
  let results: Result[];
  beforeAll(async () => {
    service = await openWrongService();
    results = await run(surfaces, { baseUrl: service.baseUrl, keys: { full: KEY } });
  }, MINUTE);
  afterAll(() => service.close());

  it('no statement passes: each is broken with a reason, or not applicable with one', () => {
    const passed = results.filter(({ verdict, statement }) => verdict === 'kept' && !ABOUT_THE_CALLER.test(statement));
    expect(passed.map(({ statement }) => statement)).toEqual([]);
    expect(results.every(({ verdict, reason }) => verdict === 'kept' || (reason ?? '') !== '')).toBe(true);
    expect(results.filter(({ verdict }) => verdict === 'broken').length).toBeGreaterThan(55);
  });

  it(
    'reports the statement, what was sent and what came back, without the key',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
      try {
        const file = join(folder, 'report.json');
        let printed = '';
        const code = await conformanceCommand(['--base-url', service.baseUrl, '--key', KEY, '--json', file], (text) => {
          printed += text;
        });
        expect(code).toBe(1);
        expect(printed).toContain('FAIL [Answers] `truth`: `type`, `truth` (number)');
        expect(printed).toContain('> POST /v1/decide');
        expect(printed).toContain('< 200 {"model":"wrong-1.0"');
        const written = await readFile(file, 'utf8');
        expect(JSON.parse(written).results).toHaveLength(results.length);
        expect(printed + written).not.toContain(KEY);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    MINUTE,
  );

  it('says so when nothing answers at all', async () => {
    const silent = await run(surfaces.slice(0, 1), { baseUrl: 'http://127.0.0.1:1', keys: { full: KEY } });
    expect(silent.every(({ verdict, reason }) => verdict === 'broken' && reason?.includes('the call failed'))).toBe(
      true,
    );
  });
});

describe('the command', () => {
  const said = async (...args: string[]) => {
    const lines: string[] = [];
    return { code: await conformanceCommand(args, (text) => lines.push(text)), text: lines.join('\n') };
  };

  it('explains itself and refuses what it cannot use', async () => {
    expect(await said('--help')).toMatchObject({ code: 0, text: expect.stringContaining('--decisions-key') });
    for (const args of [
      [],
      ['--base-url', 'nowhere', '--key', 'k'],
      ['--base-url', 'http://127.0.0.1:1'],
      ['--nonsense'],
    ])
      expect((await said(...args)).code).toBe(2);
    expect(await said('--base-url', 'http://127.0.0.1:1', '--key', 'k', '--surface', 'weather')).toMatchObject({
      code: 2,
      text: expect.stringContaining('conventions'),
    });
  });
});

describe('the run', () => {
  it('tells kept, broken and not applicable apart, and shows the calls of a broken one only', async () => {
    const service = await openWrongService();
    try {
      const call = { path: '/v1/models' };
      const checks = [
        check('A', 'kept', async (probe) => void (await probe.service.call(call))),
        check('B', 'broken', async (probe) => claim((await probe.service.call(call)).status === 418, 'no teapot')),
        check('C', 'unseen', () => Promise.reject(new NotApplicable('cannot be seen'))),
      ];
      const results = await run([{ name: 'own', checks }], { baseUrl: service.baseUrl, keys: { full: KEY } });
      expect(results.map(({ verdict }) => verdict)).toEqual(['kept', 'broken', 'not applicable']);
      const text = reportText(results, false);
      expect(text.match(/> GET \/v1\/models/g)).toHaveLength(1);
      expect(text).toContain('no teapot');
      expect(text).toContain('3 statements: 1 kept, 1 broken, 1 not applicable');
    } finally {
      await service.close();
    }
  });
});
