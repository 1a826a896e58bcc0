import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, RawBuilder } from 'kysely'
import pg from 'pg'
import { askAgain, isMarkedDistributed } from './server/distributed-mark.ts'
import type { EmbeddedEngine } from './embedded/engine.ts'
import { batchFrame, beginMessages, type Opening } from './opening.ts'
import { toUsageError } from './lost-connection.ts'
import { PreparedClient } from './prepared-client.ts'
import { type BatchResult, type PreparedColumns, StatementBatch, type RawRow, type RawStatement } from './statement-batch.ts'
import { createUsagePlaces } from './server/usage-places.ts'
import { usageWorkers, type WorkerOf } from './server/usage-workers.ts'
import type { Tables } from './tables/tables.ts'
import { compileText, runPipelined, runTransaction } from './transaction.ts'
import { types } from './value-types.ts'

/** The database inside one transaction: the only form in which other code uses it. */
export type Db = Kysely<Tables>

/** A customer's request; row-level security depends on it (migrations/0004). */
export interface TenantRole {
  readonly role: 'counterfoil_app'
  readonly customerId: number
  readonly resellerId: number
}

/** The role of a transaction. */
export type DbRole =
  | TenantRole
  | { readonly role: 'counterfoil_reseller' | 'counterfoil_loader'; readonly resellerId: number }
  | { readonly role: 'counterfoil_system' }
  /** The schema's owner: only for migrations, their list, and creating roles. */
  | { readonly role: 'owner' }

/**
 * `urgent`: for what moves money while the interactive pool is used up. `usage`: for people who read usage, where it is distributed: a worker
 * that hangs keeps nobody else waiting.
 */
export type PoolName = 'interactive' | 'background' | 'urgent' | 'usage'

export interface TransactOptions {
  /** `interactive` (default): a person waits, statements take 15 s at most. `background`: jobs, exports and imports, 15 minutes at most. */
  readonly pool?: 'interactive' | 'background'
  /**
   * False: the commit does not wait for the disk. For what a crash may lose because signing in again replaces it: rate-limit hits and new
   * sessions. Never for the end of a session, never for money. Default true.
   */
  readonly durable?: boolean
  /**
   * Given for what reads or writes usage: where that is distributed, a worker that hangs keeps a few of these waiting (db/server/usage-places.ts).
   * `replica`: for what may be seconds old, read from the replica while it keeps up (db/read-replica.ts).
   */
  readonly usage?: 'replica' | 'primary'
  /**
   * Sends the statements as one message with role, tenant and commit: one round trip instead of three. `work` begins all of them at once;
   * one that waits for the answer of another is refused. Default false.
   */
  readonly pipelined?: boolean
}

export interface Store {
  readonly kind: 'embedded' | 'postgres'
  /** Whether the tables of usage are distributed over several machines, or are about to be. Asks the database every few seconds. */
  isDistributed(): Promise<boolean>
  readonly pools: Readonly<Record<PoolName, pg.Pool>>
  /** A connection of a pool, which `release` gives back. @throws UsageUnreachable, UsageBusy where usage is distributed, for its worker */
  connect(as: DbRole, options?: Pick<TransactOptions, 'pool' | 'usage'>): Promise<pg.PoolClient>
  /** Runs `work` in a transaction of its own; commits when it resolves, rolls back when it rejects. Never nest calls. */
  transact<T>(as: DbRole, work: (db: Db) => Promise<T>, options?: TransactOptions): Promise<T>
  /**
   * Runs reading statements in a transaction of their own, sent and answered as one message, on an interactive connection. For what is read
   * most often. @returns the rows of each statement as text
   */
  readRaw(as: TenantRole, statements: readonly RawBuilder<unknown>[], options?: Pick<TransactOptions, 'usage'>): Promise<RawRow[][]>
  /** Archives the embedded database; null on PostgreSQL, which has its own tools (cli/backup). */
  readonly snapshot: (() => Promise<Uint8Array>) | null
  /** Reads from the replica while it keeps up, else from the primary; repeats the read on the primary when the replica fails. */
  readFromReplica<T>(read: (store: Store) => Promise<T>): Promise<T>
  /** The streaming standby to read from; null without one. */
  readonly replica: Store | null
  close(): Promise<void>
}

/** Whether a request moves money: its statements do not wait behind those of people who read. */
export const urgentWork = new AsyncLocalStorage<true>()
const MAX_URGENT_CONNECTIONS = 2
/** PostgreSQL's limits of a statement (db/server/login-settings.ts, db/opening.ts), and how much later a worker is taken not to notice them. */
const MAX_STATEMENT_MS = { interactive: 15_000, background: 900_000 } as const
const GIVE_UP_MS = 2_000
/** Which part of a pool one worker may keep waiting. Jobs and downloads have no pool of their own for usage, and take longer. */
const USAGE_SHARES = { interactive: 1 / 3, background: 1 / 2 } as const

/** The store over these pools. `closeEngine` runs once they have ended. */
const createStore = (
  kind: Store['kind'],
  pools: Store['pools'],
  closeEngine: () => Promise<void>,
  preparedStatementsOf: (client: pg.PoolClient) => PreparedColumns,
  usage: { readonly isDistributed: Store['isDistributed']; readonly isApart?: boolean; readonly workerOf: WorkerOf },
  snapshot: Store['snapshot'] = null,
): Store => {
  const { isDistributed, isApart = false, workerOf } = usage
  const usagePlaces = createUsagePlaces(pools.interactive, workerOf)
  const openingOf = async ({ pool = 'interactive', durable = true }: TransactOptions = {}): Promise<Opening> => ({
    pool: kind === 'embedded' ? 'embedded' : pool,
    durable,
    isDistributed: await isDistributed(),
  })
  const connect: Store['connect'] = async (as, { pool = 'interactive', usage } = {}) => {
    if (usage !== undefined && (isApart || (await isDistributed())))
      return usagePlaces.connect(pools[pool === 'interactive' ? 'usage' : pool], as, {
        share: USAGE_SHARES[pool],
        limitMs: MAX_STATEMENT_MS[pool] + GIVE_UP_MS,
        isInteractive: pool === 'interactive',
      })
    const isUrgent = pool === 'interactive' && urgentWork.getStore() === true && isUsedUp(pools.interactive)
    return pools[isUrgent ? 'urgent' : pool].connect()
  }
  const sendBatch = async (
    as: Exclude<DbRole, { role: 'owner' }>,
    options: TransactOptions | undefined,
    statements: readonly RawStatement[],
  ): Promise<BatchResult[]> => {
    const opening = await openingOf(options)
    const { before, after } = batchFrame(as, opening)
    const batch = [...before, ...statements, ...after]
    const client = await connect(as, options)
    try {
      const results = await new Promise<BatchResult[]>((resolve, reject) =>
        client.query(
          new StatementBatch(batch, preparedStatementsOf(client), (error, results) => (error === null ? resolve(results) : reject(error))),
        ),
      )
      return results.slice(before.length, batch.length - after.length)
    } catch (error) {
      if (opening.isDistributed) await client.query('rollback').catch(() => undefined) // the error that caused it is the one to tell
      throw opening.isDistributed && options?.usage !== undefined ? toUsageError(error) : error
    } finally {
      client.release()
    }
  }
  const store: Store = {
    kind,
    isDistributed,
    pools,
    snapshot,
    replica: null,
    readFromReplica: (read) => read(store),
    connect,
    transact: async <T>(as: DbRole, work: (db: Db) => Promise<T>, options: TransactOptions = {}) => {
      if (options.pipelined === true && as.role !== 'owner') return runPipelined((statements) => sendBatch(as, options, statements), work)
      const opening = await openingOf(options)
      const client = await connect(as, options)
      try {
        return await runTransaction(client, beginMessages(as, opening), work)
      } catch (error) {
        throw opening.isDistributed && options.usage !== undefined ? toUsageError(error) : error
      } finally {
        client.release()
      }
    },
    readRaw: async (as, statements, options) => {
      const results = await sendBatch(as, options, statements.map(compileText))
      return results.map(({ rows }) => rows)
    },
    close: async () => {
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end()))
      await closeEngine()
    },
  }
  return store
}

/** Whether a pool has no idle connection and may open no further one. */
const isUsedUp = ({ idleCount, totalCount, options }: pg.Pool): boolean => idleCount === 0 && totalCount >= (options.max ?? 0)

/** The names by which PostgreSQL lists the connections of servers, workers and commands that are at work. */
export const WORKING_NAMES = ['counterfoil interactive', 'counterfoil background', 'counterfoil usage'] as const

const noop = async (): Promise<void> => undefined

/**
 * Logs each connection that breaks. One that breaks between two statements of a transaction has no query to reject, and without a listener
 * the error would end the process.
 */
const logConnectionErrors = (pool: pg.Pool, onError: (error: Error) => void): pg.Pool => {
  pool.on('connect', (client) => client.on('error', onError))
  pool.on('error', () => undefined) // idle connections report here as well
  return pool
}

interface StoreOptions {
  /** Connections of the interactive and of the background pool. Default 10. */
  readonly maxPerPool?: number
  /** How long to wait for a new connection. Default ten seconds. */
  readonly connectMs?: number
  /** What PostgreSQL lists its connections as, where that is not one of WORKING_NAMES. */
  readonly name?: 'counterfoil start' | 'counterfoil restore'
  /** Speaks as to a distributed database, or not, whatever the database says. For tests. */
  readonly isDistributed?: boolean
  /** Gives usage connections of its own also where it is not distributed. For tests. */
  readonly isUsageApart?: boolean
  /** Which worker has a customer's usage, whatever the database says. For tests. */
  readonly workerOf?: WorkerOf
}

/**
 * Opens a PostgreSQL server with a pool for interactive work, one for background work, and a small one for urgent work.
 * Connects on first use.
 */
export const postgresStore = (url: string, onError: (error: Error) => void, options: StoreOptions = {}): Store => {
  const { maxPerPool = 10, connectMs = 10_000, name, isUsageApart = false } = options
  const createPool = (poolName: PoolName): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      Client: PreparedClient,
      pipeline: poolName !== 'background', // COPY and cursors cannot be pipelined, so only the background pool runs them
      min: poolName === 'interactive' ? 1 : 0, // kept, so that an upgrade or a restore sees a server that nobody asks anything
      max: poolName === 'urgent' ? MAX_URGENT_CONNECTIONS : maxPerPool,
      types,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      application_name: name ?? `counterfoil ${poolName === 'urgent' ? 'interactive' : poolName}`,
    })
    return logConnectionErrors(pool, onError)
  }
  const prepared = new WeakMap<pg.PoolClient, PreparedColumns>()
  const preparedStatementsOf = (client: pg.PoolClient): PreparedColumns => {
    const names = prepared.get(client) ?? new Map()
    prepared.set(client, names)
    return names
  }
  const pools = {
    interactive: createPool('interactive'),
    background: createPool('background'),
    urgent: createPool('urgent'),
    usage: createPool('usage'),
  }
  // Asked over the urgent pool: what moves money does not wait for it behind those who read.
  const isDistributed =
    options.isDistributed === undefined ? askAgain(() => isMarkedDistributed(pools.urgent)) : async () => options.isDistributed === true
  const workerOf = options.workerOf ?? usageWorkers(pools.interactive)
  return createStore('postgres', pools, noop, preparedStatementsOf, { isDistributed, isApart: isUsageApart, workerOf })
}

/**
 * The embedded engine behind the same interface. It has one session for all clients, so all pools are the same one.
 * @param isPreparing uses a single client, which can then keep its statements prepared
 */
export const embeddedStore = (engine: EmbeddedEngine, onError: (error: Error) => void, isPreparing = false): Store => {
  const pool = new pg.Pool({
    stream: engine.stream,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ...(isPreparing ? { max: 1, Client: PreparedClient, pipeline: true } : { max: 10 }),
    types,
    idleTimeoutMillis: 0,
  })
  logConnectionErrors(pool, onError)
  const prepared: PreparedColumns = new Map() // of the one session, whichever client prepares
  return createStore(
    'embedded',
    { interactive: pool, background: pool, urgent: pool, usage: pool },
    () => engine.close(),
    () => prepared,
    { isDistributed: async () => false, workerOf: async () => '' },
    () => engine.snapshot(),
  )
}
