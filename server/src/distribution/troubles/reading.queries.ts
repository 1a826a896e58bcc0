import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { takeRole } from '../nodes.queries.ts'

const MAX_CUSTOMERS = 1_000
const PAGE_ROWS = 25

/** Some customers that have usage, from all shards: any of the reseller's are taken, before it is asked which have some. As counterfoil_reseller. */
export const listCustomersWithUsage = async (db: Db): Promise<number[]> => {
  const known = await sql<{ id: number }>`select id from customer order by id limit ${sql.lit(MAX_CUSTOMERS)}`.execute(db)
  const ids = known.rows.map(({ id }) => id)
  const { rows } = await sql<{ id: number }>`
    select customer_id as id from usage_version where customer_id = any(${ids}::bigint[]) order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** The nodes that hold the usage of these customers. */
export const nodesOfCustomers = async (db: Db, ids: readonly number[]): Promise<{ node: string; customerId: number }[]> => {
  const { rows } = await sql<{ node: string; customerId: number }>`
    select n.nodename || ':' || n.nodeport as node, c.id as "customerId"
    from unnest(${[...ids]}::bigint[]) c (id)
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('usage_version', c.id)
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    order by 1, 2`.execute(db)
  return rows
}

/** Reads a page of a customer's usage, and whether its usage shows: also records, where its counters say that it has some. As counterfoil_app. */
export const readPage = async (db: Db, customerId: number): Promise<boolean> => {
  await sql`
    select id from usage_record where customer_id = ${customerId} order by usage_at desc, id desc limit ${sql.lit(PAGE_ROWS)}`.execute(db)
  const { rows } = await sql<{ shows: boolean }>`
    select exists (select from usage_record u where u.customer_id = ${customerId})
      or coalesce((select sum(k.records) from usage_daily_category_delta k where k.customer_id = ${customerId}), 0) = 0 as shows
    from usage_version v where v.customer_id = ${customerId}`.execute(db)
  return rows[0]?.shows === true
}

/** The customers, one of each table at most, whose usage shows to somebody who is no customer. As the owner. */
export const readWithoutTenant = async (db: Db): Promise<number[]> => {
  await sql`set local citus.propagate_set_commands = 'local'`.execute(db)
  await takeRole(db, 'counterfoil_app')
  const versions = await sql<{ id: number }>`select customer_id as id from usage_version limit 1`.execute(db)
  const records = await sql<{ id: number }>`select customer_id as id from usage_record limit 1`.execute(db)
  return [...versions.rows, ...records.rows].map(({ id }) => id)
}

/** Customers whose usage is noted for this reseller, and who are not its own. As counterfoil_reseller. */
export const listForeignCustomers = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select customer_id as id from usage_version except select id from customer order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
