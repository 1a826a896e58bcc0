import type { Writable } from 'node:stream'
import pg from 'pg'

/** Statements beyond this number are not prepared, so that a connection's memory stays bounded. */
const MAX_STATEMENTS = 1_000
const statementNames = new Map<string, string>()

/** The name under which all connections prepare a statement; undefined for one beyond MAX_STATEMENTS, which is not prepared. */
const statementName = (text: string): string | undefined => {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= MAX_STATEMENTS) return known
  const name = `q${statementNames.size}`
  statementNames.set(text, name)
  return name
}

type QueryFunction = (text: unknown, values?: unknown, callback?: unknown) => unknown
type QueryCallback = (error: unknown, result: unknown) => void

/** Pg's types do not have it. */
const startupConf = Reflect.get(pg.Client.prototype, 'getStartupConf') as () => object

/** A statement and its parameters. */
export type Statement = readonly [text: string, values: readonly unknown[]]

/**
 * A connection that prepares every statement with parameters once and then executes it by name: planning a page over two dozen partitions
 * takes several times as long as reading it. Only for PostgreSQL: the embedded engine has one session for all clients.
 */
export class PreparedClient extends pg.Client {
  /** Whether several queries may be in flight at once. */
  readonly isPipelined: boolean

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.isPipelined = typeof config === 'object' && 'pipeline' in config && config.pipeline === true
    const query: QueryFunction = (...results) => Reflect.apply(pg.Client.prototype.query, this, results)
    const preparedQuery: QueryFunction = (text, values, callback) => {
      const results = withStatementName(text, values, callback)
      return typeof text === 'string' && callback === undefined && typeof values !== 'function'
        ? queryAsPromise(query, results)
        : query(...results)
    }
    this.query = preparedQuery as typeof this.query
  }

  /** Sends all in one packet. When one of `begin` fails, the server rejects the statement. @throws what the first that failed failed with */
  async queryAfter(begin: readonly string[], [text, values]: Statement): Promise<pg.QueryResult> {
    this.#wire.cork()
    const begun = begin.map((message) => this.query(message))
    const last = values.length === 0 ? this.query(text) : this.query(text, [...values])
    this.#wire.uncork()
    const results = await Promise.allSettled([...begun, last])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return last
  }

  /** What a connection says of itself. A pooler passes the time zone on, as the one setting that answers depend on. */
  getStartupConf(): Record<string, string> {
    return { ...(Reflect.apply(startupConf, this, []) as Record<string, string>), TimeZone: 'UTC' }
  }

  /** The socket, which pg's types do not expose. */
  get #wire(): Writable {
    return (this as unknown as { connection: { stream: Writable } }).connection.stream
  }
}

/**
 * Runs a query and resolves to its result. Pg's own promise keeps a query, its text and its result in memory until the next major
 * garbage collection, which then runs more often (measured with pg 8.23 on Node 24: 730 bytes a query instead of 26).
 */
const queryAsPromise = (query: QueryFunction, [text, values]: readonly unknown[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const callback: QueryCallback = (error, result) => (error ? reject(error) : resolve(result))
    query(text, values, callback)
  }).catch((error: unknown) => {
    if (error instanceof Error) Error.captureStackTrace(error) // show the caller instead of the socket
    throw error
  })

/** The arguments of pg's `query`, with a name for the statement where it has parameters. Others are returned as they are. */
const withStatementName = (text: unknown, values: unknown, callback: unknown): [unknown, unknown?, unknown?] => {
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return [text, values, callback]
  const name = statementName(text)
  return [name === undefined ? { text, values } : { text, values, name }, callback]
}
