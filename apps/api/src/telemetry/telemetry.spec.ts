import { createLog, faultFields, NestLog } from './log.js';

const written = (level: 'debug' | 'info') => {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => lines.push(line) });
  return { log, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

test('a log line is one JSON object with a UTC time', () => {
  const { log, entries } = written('info');
  log.info({ status: 200 }, 'request');
  log.debug('not at this level');
  expect(entries()).toEqual([
    expect.objectContaining({ service: 'assay', status: 200, message: 'request', time: expect.stringMatching(/Z$/) }),
  ]);
});

test('a fault is logged by where it happened, not by a message that may quote input', () => {
  const error = Object.assign(new TypeError('bad value "secret words of a caller"\nsecond line'), { code: '22P02' });
  const fields = faultFields(error);
  expect(fields).toMatchObject({ fault: 'TypeError', code: '22P02' });
  expect(fields.stack).toContain('telemetry.spec');
  expect(JSON.stringify(fields)).not.toContain('caller');
  expect(faultFields('secret words')).toEqual({ fault: 'string' });
});

test("Nest's wiring messages appear only when looking for a fault", () => {
  const quiet = written('info');
  new NestLog(quiet.log).log('Mapped {/healthz, GET} route');
  expect(quiet.entries()).toEqual([]);
  const loud = written('debug');
  new NestLog(loud.log).log('Mapped {/healthz, GET} route');
  expect(loud.entries()).toHaveLength(1);
});
