import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresUnavailable, explainFailure } from './unavailable.js';

/** Where the server's files lie and which user it runs as. `user` is absent when the service itself is unprivileged. */
export type ServerHome = {
  readonly root: string;
  readonly cluster: string;
  readonly sockets: string;
  readonly log: string;
  readonly user?: { readonly uid: number; readonly gid: number };
};

const NOBODY = 65534;
const PASS = 0o011;
/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the closing zero included. */
const SOCKET_PATH_MAX = 103;
const SOCKET_NAME = '.s.PGSQL.5432';
/** Where the cluster goes when the data folder lies under a folder that the unprivileged user may not enter. */
const SHARED_ROOT = '/var/lib/assay';

/** Makes the folders, hands them to the user that PostgreSQL will run as, and returns the layout. */
export async function prepareServerHome(dataFolder: string): Promise<ServerHome> {
  try {
    const asked = resolve(dataFolder, 'postgres');
    await mkdir(dirname(asked), { recursive: true });
    const user = process.getuid?.() === 0 ? await serverUser(asked) : undefined;
    const root = user ? await reachableRoot(asked, user.uid, user.gid) : await ownRoot(asked);
    const sockets = await socketFolder(root, user);
    return { root, cluster: join(root, 'cluster'), sockets, log: join(root, 'server.log'), ...(user && { user }) };
  } catch (error) {
    throw explainFailure(`preparing ${dataFolder}`, error);
  }
}

/** PostgreSQL refuses to run as root: it runs as the owner of the cluster, or as nobody when there is none yet. */
async function serverUser(root: string): Promise<{ uid: number; gid: number }> {
  const owner = await stat(root).catch(() => undefined);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : { uid: NOBODY, gid: NOBODY };
}

async function ownRoot(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const { uid } = await stat(root);
  if (uid !== process.getuid?.()) {
    throw new EmbeddedPostgresUnavailable(
      `The embedded PostgreSQL cannot run: ${root} belongs to user ${uid}, and this service runs as user ${process.getuid?.()}.`,
    );
  }
  return realpath(root);
}

async function reachableRoot(asked: string, uid: number, gid: number): Promise<string> {
  const parent = await realpath(dirname(asked));
  const linked = await readlink(asked).catch(() => undefined);
  if (!linked && (await mayEnter(dirname(parent), uid, gid))) await letThrough(parent);
  else if (!linked) await linkElsewhere(asked);
  const root = (await readlink(asked).catch(() => undefined)) ?? asked;
  await mkdir(root, { recursive: true, mode: 0o700 });
  await chown(root, uid, gid);
  return realpath(root);
}

/** Others may then pass through the data folder, but neither list it nor open what lies in it: every folder there is closed itself. */
async function letThrough(dataFolder: string): Promise<void> {
  const { mode } = await stat(dataFolder);
  if ((mode & PASS) !== PASS) await chmod(dataFolder, (mode & 0o7777) | PASS);
}

/** The link is made in one step, so that of two first starts one decides and the other follows. */
async function linkElsewhere(asked: string): Promise<void> {
  await mkdir(SHARED_ROOT, { recursive: true, mode: 0o755 });
  await symlink(join(SHARED_ROOT, randomBytes(8).toString('hex')), asked).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function mayEnter(folder: string, uid: number, gid: number): Promise<boolean> {
  for (let current = folder; ; current = dirname(current)) {
    const entry = await stat(current);
    const bit = entry.uid === uid ? 0o100 : entry.gid === gid ? 0o010 : 0o001;
    if ((entry.mode & bit) === 0) return false;
    if (current === dirname(current)) return true;
  }
}

/** Connections are trusted, so the folder of the socket lets nobody in but the server's own user. */
async function socketFolder(root: string, user?: { uid: number; gid: number }): Promise<string> {
  const inside = join(root, 'run');
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= SOCKET_PATH_MAX;
  const folder = fits ? inside : join('/tmp', `assay-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entry = await lstat(folder);
  const mine = user?.uid ?? process.getuid?.();
  const ours = entry.uid === mine || entry.uid === process.getuid?.();
  if (!entry.isDirectory() || !ours) {
    throw new EmbeddedPostgresUnavailable(
      `The embedded PostgreSQL cannot run: ${folder}, needed for its socket, is not a folder of user ${mine}.`,
    );
  }
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  return folder;
}
