import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { WorkspaceRow } from '../../access/workspaces/workspace.row.js';
import type { StoredResponse } from './idempotency.js';

@Entity('idempotency_keys')
@Index('idempotency_keys_age', ['createdAt'])
export class IdempotencyKeyRow {
  @PrimaryColumn('text', { name: 'workspace_id', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  workspaceId!: string;

  @ManyToOne(() => WorkspaceRow)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'idempotency_keys_workspace' })
  workspace?: Relation<WorkspaceRow>;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  key!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  @Column('text')
  claim!: string;

  @Column('timestamptz', { name: 'lease_until' })
  leaseUntil!: Date;

  @Column('jsonb', { nullable: true })
  response!: StoredResponse | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
