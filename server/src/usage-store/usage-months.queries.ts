import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Whether usage has a partition for each of these months. @param months their first days */
export const hasMonths = async (db: Db, months: readonly string[]): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from unnest(${months}::text[]::date[]) month where to_regclass('usage_record_' || to_char(month, 'YYYY_MM')) is null limit 1`.execute(
    db,
  )
  return rows.length === 0
}

/**
 * Makes the partitions of these months where they are missing. As the schema's owner, in a transaction before that of the load: where usage
 * is distributed, a transaction that writes as another role does not see them.
 * @param months their first days
 */
export const ensureMonths = async (db: Db, months: readonly string[]): Promise<void> => {
  if (await hasMonths(db, months)) return
  await keepMonthsAsTheyAre(db)
  // Another load that makes months is waited for: on several machines each takes long, and neither reads nor loads wait meanwhile.
  await sql`set local lock_timeout = '1min'`.execute(db)
  await sql`select ensure_usage_months(month, month) from unnest(${months}::text[]::date[]) month`.execute(db)
}

/**
 * Keeps everybody else from making partitions, and from moving usage to other machines, until the transaction ends: Citus ends at once who
 * meets another in the midst of either. Waits as long as imports wait for a move.
 */
export const keepMonthsAsTheyAre = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ limit: string }>`select current_setting('lock_timeout') as "limit"`.execute(db)
  await sql`set local lock_timeout = '15min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil usage months'))`.execute(db)
  await sql`set local lock_timeout = ${sql.lit(rows[0]?.limit ?? '')}`.execute(db)
}
