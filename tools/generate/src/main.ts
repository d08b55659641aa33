import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateClient } from './client/client.js';
import { generateContract } from './contract/contract.js';
import { documentErrors } from './docs/errors.js';
import { bundleSpecs } from './specs/bundle.js';

const HELP = `Generates packages/contract and packages/client from specs/.

Usage: npm run generate

  --specs <folder>     read the specs from here        (default: specs)
  --contract <folder>  write types and validators here (default: packages/contract/src/generated)
  --client <folder>    write the client's calls here   (default: packages/client/src/generated)
  --errors <file>      write the error table here      (default: packages/contract/ERRORS.md)
  --no-client          leave the client out
  --help               show this
`;

const root = join(import.meta.dirname, '..', '..', '..');
const { values } = parseArgs({
  options: {
    specs: { type: 'string', default: join(root, 'specs') },
    contract: { type: 'string', default: join(root, 'packages/contract/src/generated') },
    client: { type: 'string', default: join(root, 'packages/client/src/generated') },
    errors: { type: 'string', default: join(root, 'packages/contract/ERRORS.md') },
    'no-client': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const bundles = await bundleSpecs(values.specs);
  await generateContract(bundles, values.contract);
  await documentErrors(join(root, 'packages/contract'), values.errors);
  if (!values['no-client']) await generateClient(bundles, values.client);
}
