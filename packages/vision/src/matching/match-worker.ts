import { parentPort } from 'node:worker_threads';
import type { MatchOrder, MatchReport } from './messages.ts';
import { TemplateSet } from './template-set.ts';

const port = parentPort!;
const report = (what: MatchReport): void => port.postMessage(what);
const sets = new Map<string, TemplateSet>();

function setOf(name: string): TemplateSet {
  const found = sets.get(name) ?? new TemplateSet();
  sets.set(name, found);
  return found;
}

port.on('message', (order: MatchOrder) => {
  switch (order.say) {
    case 'append':
      return setOf(order.set).append(order.keys, order.templates);
    case 'remove':
      return setOf(order.set).remove(order.keys);
    case 'drop':
      return void sets.delete(order.set);
    case 'search': {
      const set = setOf(order.set);
      return report({ say: 'found', call: order.call, found: order.sought.map((sought) => set.search(sought)) });
    }
    case 'measure': {
      const { size, bytes } = setOf(order.set);
      return report({ say: 'measured', call: order.call, size, bytes });
    }
  }
});
