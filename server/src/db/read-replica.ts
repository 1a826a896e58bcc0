import { sql } from 'kysely'
import { postgresStore, type Store } from './database.ts'
import type { Log } from '../kit/log.ts'
import { OperatorError, ApiError } from '../kit/api-error.ts'
import { assertUnprivilegedRole } from './roles.ts'

/** How long to wait for a connection to the replica: people wait for it, and the primary can answer instead. */
const CONNECT_TIMEOUT_MS = 2_000
const CHECK_INTERVAL_MS = 2_000
/** How long an unreachable replica is not tried again. */
const UNREACHABLE_RETRY_MS = 5_000

/**
 * A store that reads from a streaming standby while it is reachable and at most `maxLagMs` behind. Everything else stays on the primary,
 * and a read that fails on the replica is repeated there.
 */
export const withReadReplica = (primary: Store, url: string, maxLagMs: number, log: Log): Store => {
  const replica = postgresStore(url, (error) => log.warn({ err: error }, 'a connection to the standby failed'), {
    connectMs: CONNECT_TIMEOUT_MS,
  })
  const monitor = monitorReplica(primary, replica, maxLagMs, log)
  const readFromReplica: Store['readFromReplica'] = async (read) => {
    if (!(await monitor.isUsable())) return read(primary)
    try {
      return await read(replica)
    } catch (error) {
      const kind = failureKind(error)
      if (kind === null) throw error
      if (kind === 'unreachable') monitor.markUnreachable(error)
      return read(primary)
    }
  }
  return {
    ...primary,
    replica,
    readFromReplica,
    transact: (as, work, options) =>
      options?.usage === 'replica' ? readFromReplica((store) => store.transact(as, work, options)) : primary.transact(as, work, options),
    readRaw: (as, statements, options) =>
      options?.usage === 'replica'
        ? readFromReplica((store) => store.readRaw(as, statements, options))
        : primary.readRaw(as, statements, options),
    close: async () => {
      await replica.close()
      await primary.close()
    },
  }
}

type Health = 'usable' | 'behind' | 'unreachable'

interface ReplicaMonitor {
  isUsable(): Promise<boolean>
  markUnreachable(error: unknown): void
}

/**
 * Tracks whether the replica may be read from. Every few seconds, when a read is requested, it notes the primary's WAL position; the
 * replica keeps up as long as it replays each noted position in time.
 */
const monitorReplica = (primary: Store, replica: Store, maxLagMs: number, log: Log): ReplicaMonitor => {
  const intervalMs = Math.min(CHECK_INTERVAL_MS, maxLagMs / 4)
  let health: Health = 'behind'
  let lastPosition: { lsn: string; at: number } | null = null
  let hasCaughtUp = false
  let nextCheckAt = 0
  let runningCheck: Promise<void> | null = null

  const setHealth = (next: Health, err?: unknown): void => {
    nextCheckAt = performance.now() + (next === 'unreachable' ? UNREACHABLE_RETRY_MS : intervalMs)
    if (next === health) return
    health = next
    if (next === 'usable') log.info('usage is read from the standby')
    else log.warn({ err }, `the standby is ${next}: usage is read from the primary`)
  }

  const check = async (): Promise<void> => {
    try {
      lastPosition ??= { lsn: await walPositionOf(primary), at: performance.now() }
      const hasReplayed = await hasReplayedUpTo(replica, lastPosition.lsn)
      if (hasReplayed) {
        lastPosition = null
        hasCaughtUp = true
        return setHealth('usable')
      }
      setHealth(hasCaughtUp && performance.now() - lastPosition.at < maxLagMs ? 'usable' : 'behind')
    } catch (error) {
      setHealth('unreachable', error)
    }
  }

  return {
    isUsable: async () => {
      if (performance.now() >= nextCheckAt) {
        runningCheck ??= check().finally(() => {
          runningCheck = null
        })
        if (health !== 'unreachable') await runningCheck // do not wait for a replica that may not answer
      }
      return health === 'usable'
    },
    markUnreachable: (error) => setHealth('unreachable', error),
  }
}

/** The position in the WAL up to which the primary has written. */
const walPositionOf = (primary: Store): Promise<string> =>
  primary.transact({ role: 'counterfoil_system' }, async (db) => {
    const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(db)
    if (rows[0] === undefined) throw new Error('the primary does not know where it is')
    return rows[0].lsn
  })

/**
 * Whether the replica has replayed the WAL up to a position: asked often, so a single statement without a transaction.
 * @throws when the server is no longer a standby, such as after a promotion
 */
const hasReplayedUpTo = async ({ pools }: Store, lsn: string): Promise<boolean> => {
  const { rows } = await pools.interactive.query<{ isStandby: boolean; hasReplayed: boolean | null }>(
    'select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasReplayed"',
    [lsn],
  )
  if (rows[0]?.isStandby !== true) throw new Error('the standby is one no more')
  return rows[0].hasReplayed === true
}

/** Error codes of the network. */
const NETWORK_CODES = /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/
/** SQLSTATEs of a server that shuts down, is full, or rejects the user. */
const SERVER_CODES = /^(08...|57P0[1-5]|53...|28...|3D000)$/
/** SQLSTATEs of a read that was cancelled by replay, or that met a schema whose migration has not arrived yet. */
const QUERY_CODES = /^(40001|42P01|42703|42883|42501|22023)$/
/** Messages of pg about lost connections, which have no code. */
const LOST_CONNECTION = /connection (terminated|error|timeout)|timeout exceeded when trying to connect/i

/** How a read failed. `unreachable`: the replica; `query`: only this read; null: the primary would fail the same way. */
const failureKind = (error: unknown): 'unreachable' | 'query' | null => {
  if (error instanceof ApiError || !(error instanceof Error)) return null
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return LOST_CONNECTION.test(error.message) ? 'unreachable' : null
  if (NETWORK_CODES.test(code) || SERVER_CODES.test(code)) return 'unreachable'
  return QUERY_CODES.test(code) ? 'query' : null
}

interface DatabaseIdentity {
  readonly isStandby: boolean
  /** The system identifier of the server, or of the server that it replicates, with the database's oid. */
  readonly database: string
}

/** Which database a store reads, the same for a primary and its standbys, and whether it is a standby. */
const databaseIdentity = (store: Store): Promise<DatabaseIdentity> =>
  store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { rows } = await sql<DatabaseIdentity>`
      select pg_is_in_recovery() as "isStandby",
        (select system_identifier::text from pg_control_system()) || '/' || (select oid::text from pg_database where datname = current_database()) as database`.execute(
      db,
    )
    if (rows[0] === undefined) throw new Error('a database does not know itself')
    return rows[0]
  })

/**
 * Checks that READ_DATABASE_URL names a standby of the primary. An unreachable one is accepted, since it may come back.
 * @throws OperatorError for another server or database, or a role that row-level security does not bind
 */
export const assertIsReplica = async ({ replica, ...primary }: Store, log: Log): Promise<void> => {
  if (replica === null) return
  if (await primary.isDistributed())
    throw new OperatorError(
      'READ_DATABASE_URL cannot be used where usage is distributed: a standby of the coordinator would read the workers of now by a catalogue of before.',
    )
  const found = await databaseIdentity(replica).catch((error: unknown) => {
    if (failureKind(error) === null) throw error
    log.warn({ err: error }, 'the standby cannot be reached: usage is read from the primary until it can')
    return null
  })
  if (found === null) return
  const own = await databaseIdentity({ ...primary, replica })
  if (!found.isStandby)
    throw new OperatorError('READ_DATABASE_URL names a server that is no standby: it must be a streaming copy of DATABASE_URL.')
  if (found.database !== own.database)
    throw new OperatorError('READ_DATABASE_URL names a copy of another database than DATABASE_URL: usage would be read from the wrong one.')
  await assertUnprivilegedRole(replica, 'READ_DATABASE_URL')
}
