import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { WorkspaceRow } from '../../access/workspaces/workspace.row.js';
import type { Upload } from './upload.js';

@Entity('uploads')
@Index('uploads_expiry', ['expiresAt', 'id'])
export class UploadRow implements Upload {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uploads_pkey' })
  id!: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId!: string;

  @ManyToOne(() => WorkspaceRow)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'uploads_workspace' })
  workspace?: Relation<WorkspaceRow>;

  @Column('text', { name: 'media_type' })
  mediaType!: Upload['mediaType'];

  @Column('integer')
  bytes!: number;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
