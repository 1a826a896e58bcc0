import type { DbRole, PoolName, TransactOptions } from './database.ts'
import type { RawStatement } from './statement-batch.ts'

/**
 * What differs for jobs, exports and imports from what stands on the login role (db/server/login-settings.ts). It is set in the
 * transaction, because a connection pooler in between takes no options of a connection.
 */
const BACKGROUND_SETTINGS = [
  ['lock_timeout', '2s'],
  ['statement_timeout', '15min'],
  ['idle_in_transaction_session_timeout', '5min'],
  ['plan_cache_mode', 'auto'],
] as const

/** What a transaction begins with, beside its role: the pool whose limits it has (the embedded engine has none), and how it ends. */
export interface Opening extends Pick<TransactOptions, 'durable'> {
  readonly pool: PoolName | 'embedded'
  /** The isolation level, where it is not the server's default. */
  readonly isolation?: 'repeatable read read only'
  /** Whether the tables of usage are distributed over several machines. */
  readonly isDistributed: boolean
}

/**
 * Citus lets one transaction at a time change several parts of a table, to spare it deadlocks. Those of two resellers then wait for each
 * other, table by table, and deadlock; they have no row in common, and one reseller's wait for each other by themselves.
 */
const WITHOUT_SHARD_LOCKS = ['citus.enable_deadlock_prevention', 'off'] as const

/**
 * What a transaction needs where usage is distributed: no generic plans, which Citus does not make, and that the other machines are told
 * of the settings that follow. The owner and the system may take a reseller's role later, of which they are told then (db/act-as.ts).
 */
const distributedSettings = (as: DbRole): (readonly [name: string, value: string])[] => [
  ['plan_cache_mode', 'auto'],
  ...('customerId' in as ? [] : [WITHOUT_SHARD_LOCKS]),
  ['citus.propagate_set_commands', 'resellerId' in as ? 'local' : 'none'],
]

/** The settings of a transaction: role, tenant, and what its pool needs. */
const settingsOf = (as: DbRole, { pool, durable = true, isDistributed }: Opening): (readonly [name: string, value: string])[] => [
  ...(isDistributed ? distributedSettings(as) : []),
  ...(as.role === 'owner' ? [] : [['role', as.role] as const]),
  ...('customerId' in as ? [['app.customer_id', String(as.customerId)] as const] : []),
  ...('resellerId' in as ? [['app.reseller_id', String(as.resellerId)] as const] : []),
  ...(pool === 'background' ? BACKGROUND_SETTINGS : []),
  ...(durable ? [] : [['synchronous_commit', 'off'] as const]), // the commit does not wait for the disk
]

/** The statement that sets one of them. @throws RangeError for a value that would have to be quoted */
const setLocal = ([name, value]: readonly [name: string, value: string]): string => {
  if (!/^\w*$/.test(value)) throw new RangeError(`the setting ${name} has no plain value`)
  return `set local ${name} = '${value}'` // `set` instead of `select set_config`, which would have to be planned, and stays on one machine
}

/**
 * The messages that begin a transaction, with its role, its tenant and its limits. One is enough; where usage is distributed, each setting is
 * a message of its own, because the other machines are sent whole messages.
 */
export const beginMessages = (as: DbRole, opening: Opening): readonly string[] => {
  const begin = opening.isolation === undefined ? 'begin' : `begin isolation level ${opening.isolation}`
  const statements = [begin, ...settingsOf(as, opening).map(setLocal)]
  return opening.isDistributed ? statements : [statements.join('; ')]
}

/** What stands around the statements of a transaction that is sent as one message. */
interface BatchFrame {
  readonly before: readonly RawStatement[]
  readonly after: readonly RawStatement[]
}

/**
 * What makes a batch a transaction. One machine takes a batch for a transaction, whose settings one prepared statement sets. Where usage is
 * distributed, the others are told of them only by `set local`, inside of a `begin`.
 */
export const batchFrame = (as: Exclude<DbRole, { role: 'owner' }>, opening: Opening): BatchFrame => {
  const settings = settingsOf(as, opening)
  if (opening.isDistributed)
    return {
      before: [{ text: 'begin', values: [] }, ...settings.map((setting) => ({ text: setLocal(setting), values: [], isNamed: false }))],
      after: [{ text: 'commit', values: [] }],
    }
  const calls = settings.map(([name], at) => `set_config('${name}', $${at + 1}, true)`)
  return { before: [{ text: `select ${calls.join(', ')}`, values: settings.map(([, value]) => value) }], after: [] }
}
