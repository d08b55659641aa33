import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '../../storage/database/whole-number.js';
import type { Billing, Workspace } from './workspace.js';

@Entity('workspaces')
@Check('workspaces_items_limit', 'items_limit >= 0')
@Check('workspaces_billing', `billing IN ('prepaid', 'unlimited')`)
@Check('workspaces_balance', 'balance_nano >= 0')
export class WorkspaceRow implements Workspace {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'workspaces_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('boolean', { default: false })
  suspended!: boolean;

  @Column('boolean', { name: 'zero_retention', default: false })
  zeroRetention!: boolean;

  @Column('text', { name: 'storage_location', default: 'default' })
  storageLocation!: string;

  @Column('integer', { name: 'items_limit', default: 1_000_000 })
  itemsLimit!: number;

  @Column('text')
  billing!: Billing;

  @Column('bigint', { name: 'balance_nano', default: 0, transformer: wholeNumber })
  balanceNano!: bigint;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
