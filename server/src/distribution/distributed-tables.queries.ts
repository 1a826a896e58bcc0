import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { DUMP_NAME } from '../db/programs-at-work.ts'
import { DISTRIBUTED_MARK } from '../db/server/distributed-mark.ts'
import { type DISTRIBUTED_TABLES, DISTRIBUTED_VIEWS } from '../usage-store/distributed-tables.data.ts'
import { keepMonthsAsTheyAre } from '../usage-store/usage-months.queries.ts'

export type DistributedTable = (typeof DISTRIBUTED_TABLES)[number]

/** The names of the tables that are distributed. */
export const listDistributed = async (db: Db): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ name: string }>`select logicalrelid::text as name from pg_dist_partition`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** About how many rows a table has. */
export const estimateRows = async (db: Db, table: DistributedTable): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint as n from pg_class c
    where c.oid = ${table}::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass)`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Says whether row-level security also holds for the owner, of a table and its months. Rows are copied to and from other machines as the
 * owner, who would see none of them.
 */
export const forceRowSecurity = async (db: Db, table: DistributedTable, isForced: boolean): Promise<void> => {
  await keepMonthsAsTheyAre(db)
  await sql
    .raw(
      `do $$ declare name text; begin
        for name in select '${table}' union all select inhrelid::regclass::text from pg_inherits where inhparent = '${table}'::regclass loop
          execute format('alter table %s ${isForced ? '' : 'no'} force row level security', name);
        end loop; end $$`,
    )
    .execute(db)
}

/**
 * Lets the rest of the owner's transaction take as long as it needs, on every node, and a later command see that it goes on
 * (`waitForStep`).
 */
export const liftLimits = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil distribute step'))`.execute(db)
  await sql`set local citus.propagate_set_commands = 'local'`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
}

/** The number of rows of a table, for its owner while row-level security is not forced. */
const countRows = async (db: Db, table: DistributedTable): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Moves a table to the workers, or back, in the caller's transaction; readers go on, writers wait.
 * @throws where it would not have the same rows afterwards
 */
export const moveTable = async (db: Db, table: DistributedTable, where: 'to the workers' | 'back'): Promise<void> => {
  await keepMonthsAsTheyAre(db)
  await liftLimits(db)
  const before = await countRows(db, table)
  if (where === 'back') {
    await sql`select undistribute_table(${table})`.execute(db)
    await restoreGrants(db)
  } else await sql`select create_distributed_table(${table}, 'customer_id', colocate_with => ${groupOf(table)})`.execute(db)
  const after = await countRows(db, table)
  if (before !== after) throw new Error(`${table} would have ${after} rows afterwards, and has ${before}`)
}

/** Grants what moving a table back takes away: the rights on the views of usage, which are made anew, and on single columns. */
const restoreGrants = async (db: Db): Promise<void> => {
  await sql.raw(`grant select on ${DISTRIBUTED_VIEWS.join(', ')} to counterfoil_app, counterfoil_reseller, counterfoil_loader`).execute(db)
  await sql`grant select (reseller_id) on usage_delta to counterfoil_system`.execute(db)
}

/** The table whose rows of a customer stand on the same machine; none for the first one. */
const groupOf = (table: DistributedTable): string => (table === 'usage_version' ? 'none' : 'usage_version')

/** Frees the space that a distributed table still takes on the coordinator. Does nothing where that is free. */
export const freeLocalCopy = async (db: Db, table: DistributedTable): Promise<void> => {
  await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(db)
}

/** Sets the mark of a distributed database, unless it is set. */
export const setMark = async (db: Db): Promise<void> => {
  await sql`insert into migration (name, digest) values (${DISTRIBUTED_MARK}, '') on conflict do nothing`.execute(db)
}

/** For how many milliseconds the mark has been set. */
export const ageOfMark = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp() - ran_at) * 1000)::bigint as ms from migration where name = ${DISTRIBUTED_MARK}`.execute(
    db,
  )
  return rows[0]?.ms ?? 0
}

/** Removes the mark of a distributed database. @returns whether there was one */
export const removeMark = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`delete from migration where name = ${DISTRIBUTED_MARK} returning name`.execute(db)
  return rows.length > 0
}

/** Those of these roles that may not sign in and are to, or the other way round. */
export const rolesToChange = async (db: Db, roles: readonly string[], isAllowed: boolean): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select rolname::text as name from pg_roles where rolname = any(${[...roles]}::text[]) and rolcanlogin <> ${isAllowed} order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Keeps every other command that moves usage away, and backups, until the transaction ends. @returns false where one is at work */
export const lockDistribution = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(hashtext('counterfoil distribute')) as "isOurs"`.execute(
    db,
  )
  return rows[0]?.isOurs === true
}

/**
 * Keeps commands that move usage away until the transaction ends, however long it does nothing. Who reads several machines in one snapshot
 * would not see the rows that come to a machine afterwards. @returns false where one is at work
 */
export const keepDistributionAway = async (db: Db): Promise<boolean> => {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock_shared(hashtext('counterfoil distribute')) as "isOurs"`.execute(db)
  return rows[0]?.isOurs === true
}

/** Lets the rest of the transaction give way to readers: PostgreSQL ends one of two that wait for each other after a second. */
export const giveWayToReaders = async (db: Db): Promise<void> => {
  await sql`set local lock_timeout = '500ms'`.execute(db)
}

/** Waits until the step of a command that was killed has ended, which PostgreSQL notices within a second or two. */
export const waitForStep = async (db: Db): Promise<void> => {
  await sql`set local lock_timeout = '1min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('counterfoil distribute step'))`.execute(db)
}

/** @throws where the transaction has lost its connection */
export const askNothing = async (db: Db): Promise<void> => {
  await sql`select`.execute(db)
}

/** Lets the roles sign in, which other machines are reached as, or not. On a plain database nobody needs to. */
export const allowLogin = async (db: Db, roles: readonly string[], isAllowed: boolean): Promise<void> => {
  for (const role of roles) await sql.raw(`alter role ${role} ${isAllowed ? 'login' : 'nologin'}`).execute(db)
}

/** Keeps loads, undos and merges of every reseller away until the transaction ends. As counterfoil_system. */
export const lockAllUsage = async (db: Db): Promise<void> => {
  await sql`set local lock_timeout = '15min'`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  await sql`
    select pg_advisory_xact_lock(hashtext('counterfoil import usage'), id), pg_advisory_xact_lock(hashtext('counterfoil merge usage'), id)
    from (select id from reseller order by id) r`.execute(db)
}

/** Whether pg_dump has its locks on usage, with which every node takes its snapshot. As the user that it signs in as. */
export const hasDumpBegun = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity a join pg_locks l using (pid)
    where a.application_name = ${DUMP_NAME} and l.relation = 'usage_record'::regclass and l.granted and a.query not ilike 'lock table%'`.execute(
    db,
  )
  return rows.length > 0
}

/** The sums of a reseller's records and counters, as text: the same before and after, where nothing is lost. As counterfoil_reseller. */
export const sumReseller = async (db: Db): Promise<string> => {
  await sql`set local statement_timeout = 0`.execute(db)
  const records = await sql<{ sums: string }>`
    select concat_ws(' ', count(*), trim_scale(sum(u.price)), trim_scale(sum(u.units)), sum(u.id)) as sums from usage_record u`.execute(db)
  const counters = await sql<{ sums: string }>`
    select concat_ws(' ', sum(k.records), trim_scale(sum(k.price)), trim_scale(sum(k.units))) as sums from usage_daily_category_delta k`.execute(
    db,
  )
  return `${records.rows[0]?.sums}; ${counters.rows[0]?.sums}`
}
