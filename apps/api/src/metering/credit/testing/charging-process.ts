import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createDataSource } from '../../../storage/database/data-source.js';
import { CreditHolds } from '../credit-holds.js';
import { chargeManyAtOnce } from './charge-many.js';

/** One of several processes on one database; it makes many calls at once and tells how many were charged. */
export type ChargingEvent = { event: 'done'; charged: number; refused: number };

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    workspace: { type: 'string' },
    key: { type: 'string' },
    name: { type: 'string' },
  },
});
const { url = '', workspace: workspaceId = '', key: keyId = '', name = '' } = values;
const source = await createDataSource({ url }, { poolSize: 10 }).initialize();
const counted = await chargeManyAtOnce(source, new CreditHolds(), {
  workspaceId,
  keyId,
  name,
  calls: 250,
  amountNano: 42n,
});
const done: ChargingEvent = { event: 'done', ...counted };
writeSync(1, `${JSON.stringify(done)}\n`);
await source.destroy();
