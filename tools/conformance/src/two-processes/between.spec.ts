import { run } from '../run.js';
import { openWrongService } from '../testing/wrong-service.js';
import { between } from './between.js';
import { twoProcessesCommand } from './command.js';

test('between processes that are wrong in every way, no statement is kept', async () => {
  const service = await openWrongService();
  try {
    const keys = { full: `asy_live_${'k'.repeat(40)}` };
    const results = await run([between(service.baseUrl)], { baseUrl: service.baseUrl, keys });
    expect(results.map(({ verdict }) => verdict)).toEqual(results.map(() => 'broken'));
    expect(results.length).toBeGreaterThan(2);
  } finally {
    await service.close();
  }
});

test('the command explains itself and refuses what it cannot use, before anything is started', async () => {
  const said = async (...args: string[]) => {
    const lines: string[] = [];
    return { code: await twoProcessesCommand(args, (text) => lines.push(text)), text: lines.join('\n') };
  };
  expect(await said('--help')).toEqual({ code: 0, text: expect.stringContaining('--patient') });
  expect(await said('--surface', 'weather')).toEqual({ code: 2, text: expect.stringContaining('no surface weather') });
  expect(await said('--nonsense')).toEqual({ code: 2, text: expect.stringContaining('--nonsense') });
});
