import { Models } from '@assay/inference';
import { askAll } from './decide-callers.js';
import type { EngineOptions } from './decide-engine.js';
import { mixed } from './decide-requests.js';

const options = JSON.parse(process.argv[2] ?? '') as EngineOptions;
const models = await Models.open({ roots: [options.models], threads: options.threads });
const engine = models.resolve(options.model);
const requests = mixed(options.requests);

process.on('message', (callers: number) => {
  const asking = askAll(requests, callers, (request) => engine.answer(engine.prepare(request), { priority: 'live' }));
  void asking.then((answered) => process.send?.(answered));
});
process.once('disconnect', () => void models.close());
process.send?.('ready');
