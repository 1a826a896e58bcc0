import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { OperatorError } from '../kit/api-error.ts'
import { DISTRIBUTED_TABLES } from '../usage-store/distributed-tables.data.ts'
import { keepMonthsAsTheyAre } from '../usage-store/usage-months.queries.ts'
import { liftLimits } from './distributed-tables.queries.ts'
import { askNodes } from './nodes.queries.ts'

/** Moves a shard group: the shards of all tables of usage that have the same customers. */
export interface ShardMove {
  /** The shard of `usage_version`, by which the group is named. */
  readonly shardId: number
  /** The node that has it, as in `10.0.0.7:5432`. */
  readonly from: string
  readonly to: string
  readonly bytes: number
}

/**
 * What Citus would move so that every node that is to have shards has about as many as the others, and none has any that is not to.
 * Moves nothing.
 */
export const planShardMoves = async (db: Db): Promise<ShardMove[]> => {
  await sql`set local plan_cache_mode = 'auto'`.execute(db)
  const { rows } = await sql<ShardMove>`
    select p.shardid as "shardId", p.sourcename || ':' || p.sourceport as "from", p.targetname || ':' || p.targetport as "to",
      (select coalesce(sum(size.size), 0)::bigint
       from pg_dist_shard one join pg_dist_shard other on other.shardminvalue = one.shardminvalue
         join citus_shard_sizes() size on size.shard_id = other.shardid
       where one.shardid = p.shardid) as bytes
    from get_rebalance_table_shards_plan('usage_version') with ordinality p
    where p.table_name = 'usage_version'::regclass order by p.ordinality`.execute(db)
  return rows
}

/**
 * Moves a shard group, in a transaction of the owner for whom row-level security is lifted; readers go on, writers wait. Citus copies the
 * rows over connections of its own, as the owner, and drops the old shards some time after the commit.
 * @throws OperatorError where a table would not have the same rows afterwards; then the old shards stay
 */
export const moveShardGroup = async (db: Db, { shardId, from, to }: ShardMove): Promise<void> => {
  await keepMonthsAsTheyAre(db)
  await liftLimits(db)
  const forced = await listForced(db)
  if (forced.length > 0) throw new Error(`row-level security holds for the owner of ${forced[0]}, who would copy none of its rows`)
  await sql`
    select citus_move_shard_placement(${shardId}, s.nodeid, t.nodeid, 'block_writes') from pg_dist_node s, pg_dist_node t
    where s.nodename || ':' || s.nodeport = ${from} and t.nodename || ':' || t.nodeport = ${to}`.execute(db)
  const [before, after] = [await countRowsOn(db, from, shardId), await countRowsOn(db, to, shardId)]
  if (before !== after)
    throw new OperatorError(
      `Shard group ${shardId} has ${before} rows on ${from}, and would have ${after} on ${to}, so it stays where it is. Nothing is lost: look for what is wrong on ${to} (counterfoil doctor, its log), then begin again.`,
    )
}

/** The numbers of rows of a shard group's tables on a node, which the owner reads there over a connection of its own. */
const countRowsOn = async (db: Db, node: string, shardId: number): Promise<string> => {
  const { rows } = await sql<{ isDone: boolean; text: string }>`
    select answer.success as "isDone", answer.result as text
    from (
      select 'select concat_ws('' '', ' || string_agg(format('(select count(*) from %s)', shard_name(s.logicalrelid, s.shardid)), ', '
        order by s.shardid) || ')' as statement
      from pg_dist_shard named join pg_dist_shard s on s.shardminvalue = named.shardminvalue
      where named.shardid = ${shardId} and s.logicalrelid::text = any(${[...DISTRIBUTED_TABLES]}::text[])
    ) count, pg_dist_node n, master_run_on_worker(array[n.nodename], array[n.nodeport], array[count.statement], false) answer
    where n.nodename || ':' || n.nodeport = ${node}`.execute(db)
  if (rows[0]?.isDone !== true) throw new Error(`the rows of shard group ${shardId} cannot be counted on ${node}: ${rows[0]?.text}`)
  return rows[0].text
}

/** The tables of usage whose owner row-level security holds for: all, but while a command moves them, or where it was interrupted. */
export const listForced = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relforcerowsecurity and oid = any(${[...DISTRIBUTED_TABLES]}::regclass[]) order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Shards that were moved away, or whose move was interrupted, and that Citus has not dropped yet. */
export const countOldShards = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_dist_cleanup`.execute(db)
  return rows[0]?.n ?? 0
}

/** Whether a worker lets a statement of the owner take any time, as while shards move, or where that was interrupted. */
export const hasUnlimitedWorker = async (db: Db): Promise<boolean> =>
  (await askNodes(db, "select current_setting('statement_timeout')")).some(({ text }) => text === '0')

/**
 * Sets how long a statement of the owner may take on the workers, on connections that are opened afterwards. Citus copies shards over
 * connections that are not told of the settings of a transaction, and have those of the role.
 * @returns what the nodes that refuse it say
 */
export const limitOwnerOnWorkers = async (db: Db, statementTimeout: string): Promise<string[]> => {
  const answers = await askNodes(
    db,
    `do $$ begin
       if (select groupid from pg_dist_local_group) <> 0 then
         set local citus.enable_ddl_propagation = off;
         execute format('alter role current_user in database %I set statement_timeout = %L', current_database(), '${statementTimeout}');
       end if; end $$`,
  )
  return answers.flatMap(({ node, isDone, text }) => (isDone ? [] : [`${node}: ${text}`]))
}
