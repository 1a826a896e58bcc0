import type { Kysely } from 'kysely'
import pg from 'pg'
import type { EmbeddedEngine } from './embedded/engine.ts'
import { PreparedClient } from './prepared-client.ts'
import { sharedClient } from './shared-client.ts'
import type { Tables } from './tables/tables.ts'
import { type Extent, runTransaction } from './transaction.ts'

/** The database inside one transaction: the only form in which other code uses it. */
export type Db = Kysely<Tables>

/** The role of a transaction; row-level security depends on it (migrations/0004). */
export type DbRole =
  | { readonly role: 'counterfoil_app'; readonly customerId: number; readonly resellerId: number }
  | { readonly role: 'counterfoil_reseller' | 'counterfoil_loader'; readonly resellerId: number }
  | { readonly role: 'counterfoil_system' }
  /** The schema's owner: only for migrations and creating roles. */
  | { readonly role: 'owner' }

/** Interactive: a person waits, statements take 15 s at most. Background: jobs, exports and imports, 15 minutes at most. */
type PoolName = 'interactive' | 'background'

/**
 * Fleeting: interactive, but the commit does not wait for the disk. For what may be forgotten when the machine dies, because it
 * costs nobody more than signing in again: counted attempts and the beginnings of sessions. Never for an end, never for money.
 */
export type Lane = PoolName | 'fleeting' | Reading

/**
 * Read on the standby where there is one that keeps up (kit/standby.ts), as interactive or as background work; else like any other. For what
 * may be half a minute old, and never for sessions or money.
 */
type Reading = 'reading' | 'long reading'

export interface Store {
  readonly kind: 'embedded' | 'postgres'
  readonly pools: Readonly<Record<PoolName, pg.Pool>>
  /** Runs `work` in a transaction of its own; commits when it resolves, rolls back when it rejects. Never nest calls. */
  transact<T>(as: DbRole, work: (db: Db) => Promise<T>, lane?: Lane, extent?: Extent): Promise<T>
  /** Archives the embedded database; null on PostgreSQL, which has its own tools (cli/backup). */
  readonly snapshot: (() => Promise<Uint8Array>) | null
  /** Reads from the replica while it keeps up, else from the primary; repeats the read on the primary when the replica fails. */
  readFromReplica<T>(read: (store: Store) => Promise<T>): Promise<T>
  /** The streaming standby to read from; null without one. */
  readonly replica: Store | null
  close(): Promise<void>
}

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

const parseSafeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a whole number of the database is beyond 2^53')
  return value
}

/** Reads ids and minor units as numbers, dates as text, timestamps as Date and numeric as exact text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return parseSafeInteger
    if (oid === DATE) return (text: string) => text
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text)
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

const connectionOptions = (lane: PoolName): string =>
  [
    `-c statement_timeout=${lane === 'interactive' ? '15s' : '15min'}`,
    '-c lock_timeout=2s',
    `-c idle_in_transaction_session_timeout=${lane === 'interactive' ? '10s' : '5min'}`,
    '-c timezone=UTC',
    '-c client_connection_check_interval=1s', // stop statements whose client has disconnected
    '-c jit=off',
    // Interactive queries read by key, so one generic plan fits every customer; planning each time would consider all partitions.
    ...(lane === 'interactive' ? ['-c plan_cache_mode=force_generic_plan'] : []),
  ].join(' ')

/**
 * The SQL that begins a transaction: its role and its tenant, as one message.
 * @param isolation the isolation level, where it is not the server's default
 */
export const beginStatement = (as: DbRole, isolation?: 'repeatable read read only'): string => {
  const opening = isolation === undefined ? 'begin' : `begin isolation level ${isolation}`
  if (as.role === 'owner') return opening
  const set = [`set local role ${as.role}`]
  if ('customerId' in as) set.push(`set local app.customer_id = '${as.customerId}'`)
  if ('resellerId' in as) set.push(`set local app.reseller_id = '${as.resellerId}'`)
  return [opening, ...set].join('; ') // `set` instead of `select set_config`, which would have to be planned
}

/** Commits without waiting for the disk. */
const ASYNCHRONOUS_COMMIT = 'set local synchronous_commit = off'

const POOL_OF: Readonly<Record<Lane, PoolName>> = {
  interactive: 'interactive',
  fleeting: 'interactive',
  reading: 'interactive',
  background: 'background',
  'long reading': 'background',
}

const createStore = (
  kind: Store['kind'],
  pools: Store['pools'],
  closeEngine: () => Promise<void>,
  snapshot: Store['snapshot'] = null,
): Store => {
  const onShared = kind === 'postgres' ? sharedClient(pools.interactive) : null // the embedded engine has one session as it is
  const store: Store = {
    kind,
    pools,
    snapshot,
    replica: null,
    readFromReplica: (read) => read(store),
    transact: async <T>(as: DbRole, work: (db: Db) => Promise<T>, lane: Lane = 'interactive', extent: Extent = 'many statements') => {
      const opening = lane === 'fleeting' ? `${beginStatement(as)}; ${ASYNCHRONOUS_COMMIT}` : beginStatement(as)
      const run = (client: pg.PoolClient): Promise<T> => runTransaction(client, opening, work, extent)
      if (onShared !== null && lane === 'fleeting' && extent === 'one statement') return onShared(run)
      const client = await pools[POOL_OF[lane]].connect()
      try {
        return await run(client)
      } finally {
        client.release()
      }
    },
    close: async () => {
      await Promise.all([...new Set(Object.values(pools))].map((createPool) => createPool.end()))
      await closeEngine()
    },
  }
  return store
}

const noop = async (): Promise<void> => undefined

/**
 * Logs each connection that breaks. One that breaks between two statements of a transaction has no query to reject, and without a listener
 * the error would end the process.
 */
const logConnectionErrors = (createPool: pg.Pool, onError: (error: Error) => void): pg.Pool => {
  createPool.on('connect', (client) => client.on('error', onError))
  createPool.on('error', () => undefined) // idle connections report here as well
  return createPool
}

/**
 * Opens a PostgreSQL server with a pool for interactive and one for background work. Connects on first use.
 * @param connectMs how long to wait for a new connection
 */
export const postgresStore = (url: string, onError: (error: Error) => void, maxPerPool = 10, connectMs = 10_000): Store => {
  const createPool = (lane: PoolName): pg.Pool => {
    const made = new pg.Pool({
      connectionString: url,
      Client: PreparedClient,
      pipeline: lane === 'interactive', // COPY and cursors cannot be pipelined, so only the background pool runs them
      max: maxPerPool,
      types,
      options: connectionOptions(lane),
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      application_name: `counterfoil ${lane}`,
    })
    return logConnectionErrors(made, onError)
  }
  return createStore('postgres', { interactive: createPool('interactive'), background: createPool('background') }, noop)
}

/**
 * The embedded engine behind the same interface. It has one session for all clients, so both pools are the same one.
 * @param isPreparing uses a single client, which can then keep its statements prepared
 */
export const embeddedStore = (engine: EmbeddedEngine, onError: (error: Error) => void, isPreparing = false): Store => {
  const createPool = new pg.Pool({
    stream: engine.stream,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ...(isPreparing ? { max: 1, Client: PreparedClient, pipeline: true } : { max: 10 }),
    types,
    idleTimeoutMillis: 0,
  })
  logConnectionErrors(createPool, onError)
  return createStore(
    'embedded',
    { interactive: createPool, background: createPool },
    () => engine.close(),
    () => engine.snapshot(),
  )
}
