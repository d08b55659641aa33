import { UsageError } from './command.js';
import type { AdminCommand } from './deployment.js';

/** A name that no id of a collection can be. */
const PUBLIC_NAME = /^(?!col_)[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

export const collectionCommands: readonly AdminCommand[] = [
  {
    name: 'collections publish',
    summary:
      'makes a collection public: every workspace may read it by its name, none may change it; there is no way back',
    options: {
      workspace: { meaning: 'The workspace that owns it', value: 'id', required: true },
      collection: { meaning: 'Its id, col_…', value: 'id', required: true },
      name: { meaning: 'The name that it is read by from then on, in place of its id', value: 'name', required: true },
    },
    async run(call) {
      const [workspace, collection, name] = [call.given('workspace'), call.given('collection'), call.given('name')];
      if (!PUBLIC_NAME.test(name))
        throw new UsageError(
          `"${name}" is no public name: a letter, then at most 63 of A-Z a-z 0-9 _ . -, not beginning with col_`,
        );
      const { collections } = await call.deployment();
      if (await collections.isTaken(name)) throw new UsageError(`There is a public collection ${name} already`);
      if (!(await collections.publish(workspace, collection, name)))
        throw new UsageError(`Workspace ${workspace} has no collection ${collection}`);
      call.print(`published ${collection} as ${name}`);
    },
  },
];
