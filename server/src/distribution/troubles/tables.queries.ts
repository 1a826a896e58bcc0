import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { DISTRIBUTED_MARK } from '../../db/server/distributed-mark.ts'
import { DISTRIBUTED_TABLES } from '../../usage-store/distributed-tables.data.ts'

/** Where Citus has it noted that a shard stands. */
export interface Placement {
  readonly shard: string
  /** As in `10.0.0.7:5432`. */
  readonly node: string
}

/** Whether the database has the mark of one whose usage is distributed. */
export const hasMark = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from migration where name = ${DISTRIBUTED_MARK}`.execute(db)
  return rows.length === 1
}

/** A condition: a table, by its oid, is one of usage, or a month of one. */
const isOfUsage = (oid: string) =>
  sql`(${sql.raw(oid)} in (select name::regclass from unnest(${[...DISTRIBUTED_TABLES]}::text[]) name) or ${sql.raw(oid)} in (
    select i.inhrelid from pg_inherits i join unnest(${[...DISTRIBUTED_TABLES]}::text[]) name on i.inhparent = name::regclass))`

export const listPlacements = async (db: Db): Promise<Placement[]> => {
  const { rows } = await sql<Placement>`
    select shard_name(s.logicalrelid, s.shardid) as shard, n.nodename || ':' || n.nodeport as node
    from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where ${isOfUsage('s.logicalrelid')}`.execute(db)
  return rows
}

/** How Citus has a table. */
interface CitusTable {
  readonly name: string
  /** Whether it is a table of usage, or a month of one. */
  readonly isOfUsage: boolean
  /** The column by which it is distributed; null for one that is not by a column. */
  readonly column: string | null
  /** Tables with the same number have a customer's rows on the same machine. */
  readonly colocation: number
}

/** The tables that Citus has distributed in one way or another. */
export const listCitusTables = async (db: Db): Promise<CitusTable[]> => {
  const { rows } = await sql<CitusTable>`
    select p.logicalrelid::text as name, p.colocationid as colocation,
      case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column,
      ${isOfUsage('p.logicalrelid')} as "isOfUsage"
    from pg_dist_partition p order by 1`.execute(db)
  return rows
}

/** A table of usage, or a month of it, as it is on the coordinator. */
interface LocalTable {
  readonly name: string
  /** Bytes of rows on the coordinator itself. */
  readonly bytes: number
  /** Whether row-level security holds, also for the owner. */
  readonly isForced: boolean
  readonly triggers: readonly string[]
  /** The policies that look into other rows. */
  readonly policiesWithQuery: readonly string[]
}

export const listLocalTables = async (db: Db): Promise<LocalTable[]> => {
  const { rows } = await sql<LocalTable>`
    select c.oid::regclass::text as name, pg_relation_size(c.oid) as bytes, c.relrowsecurity and c.relforcerowsecurity as "isForced",
      array(select t.tgname::text from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by 1) as triggers,
      array(select p.polname::text from pg_policy p where p.polrelid = c.oid
        and concat(p.polqual, p.polwithcheck) ~ '{SUBLINK ' order by 1) as "policiesWithQuery"
    from pg_class c where ${isOfUsage('c.oid')} order by 1`.execute(db)
  return rows
}

/** How many bytes the tables of usage take on the coordinator itself, with their indexes. */
export const readLocalBytes = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes from pg_class c where ${isOfUsage('c.oid')}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** What Citus has still to remove after moves of shards, beside the shards themselves: slots, publications, roles. */
export const listUnremoved = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select object_name as name from pg_dist_cleanup where object_type <> 1 order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
