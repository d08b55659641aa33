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
import { ApiKeyRow } from '../../access/keys/api-key.row.js';
import { WorkspaceRow } from '../../access/workspaces/workspace.row.js';
import { wholeNumber } from '../../storage/database/whole-number.js';
import type { ChargeKind, GrantKind, LedgerEntry } from './ledger-entry.js';

@Entity('ledger_entries')
@Unique('ledger_entries_once', ['workspaceId', 'reference'])
@Index('ledger_entries_by_day', ['workspaceId', 'createdAt'])
@Check(
  'ledger_entries_kind',
  `kind IN ('decide', 'session_open', 'session_frame', 'batch_line', 'enrollment', 'top_up', 'adjustment')`,
)
@Check('ledger_entries_tokens', 'tokens >= 0')
@Check('ledger_entries_balance', 'balance_after_nano >= 0')
@Check(
  'ledger_entries_sign',
  `CASE kind WHEN 'top_up' THEN amount_nano > 0 AND balance_change_nano = amount_nano
    WHEN 'adjustment' THEN balance_change_nano = amount_nano
    ELSE amount_nano >= 0 AND balance_change_nano IN (0, -amount_nano) END`,
)
export class LedgerEntryRow implements LedgerEntry {
  @PrimaryColumn('bigint', {
    primaryKeyConstraintName: 'ledger_entries_pkey',
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
  })
  id!: string;

  @Column('text', { name: 'workspace_id' })
  workspaceId!: string;

  @ManyToOne(() => WorkspaceRow)
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'ledger_entries_workspace' })
  workspace?: Relation<WorkspaceRow>;

  @Column('text', { name: 'key_id', nullable: true })
  keyId!: string | null;

  @ManyToOne(() => ApiKeyRow)
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'ledger_entries_key' })
  key?: Relation<ApiKeyRow>;

  @Column('text', { nullable: true })
  model!: string | null;

  @Column('text')
  kind!: ChargeKind | GrantKind;

  @Column('bigint', { default: 0, transformer: wholeNumber })
  tokens!: bigint;

  @Column('bigint', { name: 'amount_nano', transformer: wholeNumber })
  amountNano!: bigint;

  @Column('bigint', { name: 'balance_change_nano', transformer: wholeNumber })
  balanceChangeNano!: bigint;

  @Column('bigint', { name: 'balance_after_nano', transformer: wholeNumber })
  balanceAfterNano!: bigint;

  @Column('text')
  reference!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
