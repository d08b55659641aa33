import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { PostgresKeyStore } from '../../access/keys/postgres-key-store.js';
import { PostgresWorkspaceStore } from '../../access/workspaces/postgres-workspace-store.js';
import type { DraftLimits, Owner, Upload, UploadedLine } from '../store/drafts.js';
import { Uploads } from '../store/uploads.js';

export const SMALL: DraftLimits = {
  requestsPerBatch: 50,
  bytesPerBatch: 5_000,
  activeBatchesPerKey: 4,
  activeRequestsPerKey: 100,
};

/** A clock that stands still until a test moves it. */
export class TestClock {
  private at = new Date('2026-03-01T12:00:00.000Z');

  readonly now = (): Date => this.at;

  move(ms: number): void {
    this.at = new Date(this.at.getTime() + ms);
  }
}

export async function newOwner(source: DataSource, workspaceId?: string): Promise<Owner> {
  const workspace =
    workspaceId ?? (await new PostgresWorkspaceStore(source).create({ name: 'w', billing: 'unlimited' })).id;
  const key = await new PostgresKeyStore(source).create({
    workspaceId: workspace,
    name: 'k',
    scope: 'full',
    hint: '…',
    hash: randomBytes(32),
  });
  return { workspaceId: workspace, keyId: key.id };
}

export function uploadedLine(name: string, refusal: string | null = null): UploadedLine {
  const customId = JSON.stringify(name);
  return { customId, digest: createHash('sha256').update(customId).digest(), start: 0, bytes: 10, refusal };
}

/** An upload of the named lines, announced as every upload is. */
export async function announced(
  source: DataSource,
  names: readonly string[],
  changes: Partial<Upload> = {},
): Promise<Upload> {
  const blob = `batches/uploads/${randomBytes(8).toString('hex')}`;
  await new Uploads(source, () => new Date()).announce(blob);
  return { blob, bytes: names.length * 10, lines: names.map((name) => uploadedLine(name)), ...changes };
}

export const names = (count: number, prefix = 'line'): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
