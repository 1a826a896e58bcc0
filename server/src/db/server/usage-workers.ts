import { LRUCache } from 'lru-cache'
import type pg from 'pg'

const MAX_CUSTOMERS = 20_000
/** A move of shards is known after it. */
const TTL_MS = 60_000
/** While usage is on its way to the workers, or back. */
const UNKNOWN_TTL_MS = 1_000

/** Tells which worker holds a customer's usage, as `host:port`; '' where it is on none. */
export type WorkerOf = (customerId: number) => Promise<string>

/** Makes the function that asks the catalogue of the coordinator, so that a worker that hangs does not hold it up. */
export const usageWorkers = (pool: pg.Pool): WorkerOf => {
  const known = new LRUCache<number, string>({
    max: MAX_CUSTOMERS,
    ttl: TTL_MS,
    fetchMethod: async (customerId, _, { options }) => {
      const worker = await askWorker(pool, customerId).catch(() => '') // whoever asks next meets the same error where it matters
      if (worker === '') options.ttl = UNKNOWN_TTL_MS
      return worker
    },
  })
  return async (customerId) => (await known.fetch(customerId)) ?? ''
}

const askWorker = async (pool: pg.Pool, customerId: number): Promise<string> => {
  const { rows } = await pool.query<{ worker: string }>(
    `select node.nodename || ':' || node.nodeport as worker
     from pg_dist_partition d
       cross join lateral (select get_shard_id_for_distribution_column(d.logicalrelid, $1::integer) as shardid) s
       join pg_dist_placement using (shardid) join pg_dist_node node using (groupid)
     where d.logicalrelid = to_regclass('usage_record') and d.partmethod = 'h' and node.noderole = 'primary'`,
    [customerId],
  )
  return rows[0]?.worker ?? ''
}
