import { execFileSync } from 'node:child_process';
import { banner } from './banner.js';

/** Takes the printed line apart the way a shell does, without calling anything. */
const pasted = (text: string, env: Record<string, string> = {}): string[] => {
  const line = text.split('\n').find((row) => row.trimStart().startsWith('curl'));
  return execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], { env, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
};

test('the printed line is a call that a shell understands', () => {
  const args = pasted(banner({ url: 'http://127.0.0.1:8080', firstKey: 'asy_live_x', model: 'assay-flash-latest' }));
  expect(args).toContain('Authorization: Bearer asy_live_x');
  expect(args).toContain('http://127.0.0.1:8080/v1/decide');
  expect(JSON.parse(args.at(-1)!)).toMatchObject({
    model: 'assay-flash-latest',
    questions: { urgent: { type: 'truth' } },
  });
});

test('without a model it asks for the models, without a new key it takes one from the environment', () => {
  const text = banner({ url: 'http://127.0.0.1:8080' });
  expect(text).toContain('No model is installed');
  expect(pasted(text, { ASSAY_KEY: 'asy_live_mine' })).toEqual([
    '-s',
    'http://127.0.0.1:8080/v1/models',
    '-H',
    'Authorization: Bearer asy_live_mine',
  ]);
});
