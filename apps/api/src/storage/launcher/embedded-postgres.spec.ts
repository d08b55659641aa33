import { chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { EmbeddedPostgresUnavailable } from './unavailable.js';

jest.setTimeout(120_000);

const silent = { info: () => undefined, warn: () => undefined };
const started: EmbeddedPostgres[] = [];
const start = async (folder: string) => {
  const server = await EmbeddedPostgres.start(folder, silent);
  started.push(server);
  return server;
};
afterEach(() => Promise.all(started.splice(0).map((server) => server.stop())));

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-launcher-'));
  await chmod(folder, 0o755);
  return folder;
};
const removeFolder = (folder: string) => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });

const lockOf = (folder: string) => join(folder, 'postgres', 'cluster', 'postmaster.pid');
const serverOf = async (folder: string) => Number((await readFile(lockOf(folder), 'utf8')).split('\n')[0]);

const ask = async (server: EmbeddedPostgres, sql = 'SELECT 1 AS answer') => {
  const client = new pg.Client({ ...server.address });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ answer: number }>(sql)).rows[0]?.answer;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const askUntilAnswered = async (server: EmbeddedPostgres): Promise<void> => {
  while ((await ask(server).catch(() => undefined)) !== 1) await sleep(20);
};

describe('a server on a data folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await newFolder();
  });
  afterAll(() => removeFolder(folder));

  it('is shared by everybody who opens the folder, and stopped by the last one out', async () => {
    const [one, two, three] = await Promise.all([start(folder), start(folder), start(folder)]);
    expect([one.address, three.address]).toEqual([two.address, two.address]);
    await one.stop();
    await two.stop();
    expect(await ask(three)).toBe(1);
    await three.stop();
    await expect(readFile(lockOf(folder))).rejects.toThrow('ENOENT');
  });

  it('is stopped by one of several who leave at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const users = await Promise.all([start(folder), start(folder), start(folder)]);
      await Promise.all(users.map((user) => user.stop()));
      await expect(readFile(lockOf(folder))).rejects.toThrow('ENOENT');
    }
  });

  it('listens on its socket alone', async () => {
    const server = await start(folder);
    expect(await ask(server, `SELECT (current_setting('listen_addresses') = '')::int AS answer`)).toBe(1);
    await server.stop();
  });

  it('is started again when it is killed, while its users stay', async () => {
    const server = await start(folder);
    const killed = await serverOf(folder);
    process.kill(killed, 'SIGKILL');
    while (server.isUp) await sleep(5);
    await askUntilAnswered(server);
    expect(await serverOf(folder)).not.toBe(killed);
    await server.stop();
  });

  it('is not started again after it was stopped', async () => {
    const server = await start(folder);
    await server.stop();
    expect(server.isUp).toBe(false);
    await expect(ask(server)).rejects.toThrow();
  });

  it('starts although a lock file names a process that is another program by now', async () => {
    await writeFile(lockOf(folder), `${process.pid}\n${join(folder, 'postgres', 'cluster')}\n`);
    const server = await start(folder);
    expect(await ask(server)).toBe(1);
    await server.stop();
  });

  it('is ended and replaced when nobody can reach it any more', async () => {
    const lost = await start(folder);
    const unreachable = await serverOf(folder);
    await rm(join(lost.address.host, '.s.PGSQL.5432'));
    const server = await start(folder);
    expect(await ask(server)).toBe(1);
    expect(await serverOf(folder)).not.toBe(unreachable);
  });

  it('does not run on the data of another version', async () => {
    const version = join(folder, 'postgres', 'cluster', 'PG_VERSION');
    await writeFile(version, '15\n');
    const refused = start(folder);
    await expect(refused).rejects.toThrow(EmbeddedPostgresUnavailable);
    await expect(refused).rejects.toThrow('written by PostgreSQL 15, and this release runs 18');
    await writeFile(version, '18\n');
  });
});

describe('a data folder', () => {
  it('may have a path that is too long for a socket', async () => {
    const folder = await newFolder();
    const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60));
    const server = await start(deep);
    expect(await ask(server)).toBe(1);
    expect(server.address.host).not.toContain(deep);
    await server.stop();
    await removeFolder(folder);
    await removeFolder(server.address.host);
  });

  it('may be closed to the user that the server runs as', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o700);
    const server = await start(folder);
    expect(await ask(server)).toBe(1);
    await server.stop();
    await expect(readlink(join(folder, 'postgres'))).rejects.toThrow('EINVAL');
    await removeFolder(folder);
  });

  it('may lie in a folder that is closed to that user: the server then keeps its files elsewhere', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o700);
    const inside = join(folder, 'data');
    const server = await start(inside);
    expect(await ask(server)).toBe(1);
    await server.stop();
    const elsewhere = await readlink(join(inside, 'postgres')).catch(() => undefined);
    expect(elsewhere !== undefined).toBe(process.getuid?.() === 0);
    const again = await start(inside);
    expect(again.address).toEqual(server.address);
    await again.stop();
    if (elsewhere) await removeFolder(elsewhere);
    await removeFolder(folder);
  });

  it('is refused with its reason when it is a file', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    await expect(start(join(folder, 'file'))).rejects.toThrow('the data folder is not a folder');
    await removeFolder(folder);
  });

  it('is refused with the last words of a server that cannot start', async () => {
    const folder = await newFolder();
    await (await start(folder)).stop();
    const control = join(folder, 'postgres', 'cluster', 'global', 'pg_control');
    await writeFile(control, 'damaged');
    await expect(start(folder)).rejects.toThrow(/the server ended by itself: .*(pg_control|control file)/);
    await removeFolder(folder);
  });

  it('keeps a folder that is already there under its name', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'postgres', 'cluster'), { recursive: true });
    const server = await start(folder);
    expect(await ask(server)).toBe(1);
    await server.stop();
    await removeFolder(folder);
  });
});
