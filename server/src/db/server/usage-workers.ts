import { LRUCache } from 'lru-cache'
import type pg from 'pg'

const MAX_CUSTOMERS = 20_000
/** A move of shards is known after it. */
const TTL_MS = 60_000

/**
 * Makes the function that tells which worker holds a customer's usage, as `host:port`; '' where PostgreSQL does not know. The catalogue of the
 * coordinator says it, so that a worker that hangs does not hold it up.
 */
export const usageWorkers = (pool: pg.Pool): ((customerId: number) => Promise<string>) => {
  const known = new LRUCache<number, string>({ max: MAX_CUSTOMERS, ttl: TTL_MS })
  return async (customerId) => {
    const worker = known.get(customerId) ?? (await askWorker(pool, customerId))
    known.set(customerId, worker)
    return worker
  }
}

const askWorker = async (pool: pg.Pool, customerId: number): Promise<string> => {
  const { rows: tables } = await pool.query(`select to_regclass('pg_dist_partition') is not null as "isCitus"`)
  if (tables[0]?.isCitus !== true) return ''
  const { rows } = await pool.query<{ worker: string }>(
    `select node.nodename || ':' || node.nodeport as worker
     from pg_dist_partition d
       cross join lateral (select get_shard_id_for_distribution_column(d.logicalrelid, $1::integer) as shardid) s
       join pg_dist_placement using (shardid) join pg_dist_node node using (groupid)
     where d.logicalrelid = to_regclass('usage_record') and d.partmethod = 'h'`,
    [customerId],
  )
  return rows[0]?.worker ?? ''
}
