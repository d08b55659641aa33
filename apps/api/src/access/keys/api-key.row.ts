import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { WorkspaceRow } from '../workspaces/workspace.row.js';
import type { ApiKey, KeyScope } from './api-key.js';

@Entity('api_keys')
@Check('api_keys_scope', `scope IN ('full', 'decisions')`)
@Unique('api_keys_hash', ['hash'])
@Index('api_keys_of_workspace', ['workspaceId', 'createdAt', 'id'])
@Index('api_keys_revoked', ['revokedAt'], { where: 'revoked_at IS NOT NULL' })
export class ApiKeyRow implements ApiKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_keys_pkey' })
  id!: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId!: string;

  @ManyToOne(() => WorkspaceRow)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'api_keys_workspace' })
  workspace?: Relation<WorkspaceRow>;

  @Column('text')
  name!: string;

  @Column('text')
  scope!: KeyScope;

  @Column('bytea', { select: false })
  hash!: Buffer;

  @Column('text')
  hint!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
