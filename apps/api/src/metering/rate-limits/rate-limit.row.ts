import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('rate_limits')
export class RateLimitRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'rate_limits_pkey' })
  subject!: string;

  @Column('bigint', { name: 'free_at_us' })
  freeAtUs!: string;
}
