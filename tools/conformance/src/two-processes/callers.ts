import type { Keys } from '../probe.js';
import { outputOf } from './program.js';

/** A key of every kind of caller, made as an operator makes them. */
export async function makeKeys(databaseUrl: string): Promise<Keys> {
  const admin = (...args: string[]) => outputOf('admin/main.js', args, { ASSAY_DATABASE_URL: databaseUrl });
  const workspace = async (name: string, billing: string) =>
    found(/ws_[0-9a-f]{32}/, await admin('workspaces', 'create', '--name', name, '--billing', billing));
  const keyOf = async (owner: string, scope = 'full') => {
    const printed = await admin('keys', 'create', '--workspace', owner, '--scope', scope);
    return { secret: found(/asy_\w+/, printed), id: found(/key_[0-9a-f]{32}/, printed) };
  };

  const owner = await workspace('conformance', 'unlimited');
  const revoked = await keyOf(owner);
  await admin('keys', 'revoke', '--workspace', owner, '--key', revoked.id);
  const suspended = await workspace('suspended', 'unlimited');
  await admin('workspaces', 'suspend', '--workspace', suspended);
  return {
    full: (await keyOf(owner)).secret,
    decisions: (await keyOf(owner, 'decisions')).secret,
    other: (await keyOf(await workspace('other', 'unlimited'))).secret,
    withoutCredit: (await keyOf(await workspace('no credit', 'prepaid'))).secret,
    revoked: revoked.secret,
    suspended: (await keyOf(suspended)).secret,
  };
}

function found(pattern: RegExp, text: string): string {
  const match = pattern.exec(text)?.[0];
  if (match === undefined) throw new Error(`no ${String(pattern)} in: ${text}`);
  return match;
}
