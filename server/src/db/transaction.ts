import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
} from 'kysely'
import pg from 'pg'
import type { Db } from './database.ts'
import { PreparedClient, type Statement } from './prepared-client.ts'
import type { BatchResult, Column, RawRow, RawStatement } from './statement-batch.ts'
import type { Tables } from './tables/tables.ts'

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const driver = new DummyDriver()
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}

const withoutConnection = new Kysely<Tables>({ dialect })

/** The form of a parameter that PostgreSQL reads; pg's types do not have it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils

/** A compiled statement with its parameters as text or bytes, as a batch sends them. */
const toTextStatement = ({ sql, parameters }: CompiledQuery): RawStatement => ({ text: sql, values: parameters.map(prepareValue) })

/** Compiles a statement to SQL with its parameters as text, and runs nothing. */
export const compileText = (statement: RawBuilder<unknown>): RawStatement => toTextStatement(statement.compile(withoutConnection))

/** Kysely over one connection, whose statements that connection runs. Begins no transaction. */
const databaseOn = (connection: DatabaseConnection): Db => {
  const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection: (consumer) => consumer(connection) })
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
}

/**
 * Runs `work` in a transaction on this client, and commits; rolls back when `work` rejects. Without a statement, nothing is begun.
 * @param begin the messages that begin the transaction
 */
export const runTransaction = async <T>(client: pg.PoolClient, begin: readonly string[], work: (db: Db) => Promise<T>): Promise<T> => {
  const transaction = new OpenTransaction(client, begin)
  try {
    const result = await work(databaseOn(transaction))
    await transaction.end('commit')
    return result
  } catch (error) {
    await transaction.end('rollback')
    throw error
  }
}

/** Runs `work`, whose statements all begin at once, in a transaction that is one message. @param send sends it, with what opens it */
export const runPipelined = <T>(send: SendBatch, work: (db: Db) => Promise<T>): Promise<T> =>
  work(databaseOn(new PipelinedConnection(send)))

type SendBatch = (statements: readonly RawStatement[]) => Promise<readonly BatchResult[]>

/** Throws when it is read. */
// oxlint-disable-next-line require-yield -- nothing is streamed here: exports use COPY (db/copy-out.ts)
const noStream = async function* (): AsyncGenerator<never> {
  throw new Error('streaming is not supported inside a transaction')
}

/** Collects the statements that begin before the event loop turns, and sends them together. */
class PipelinedConnection implements DatabaseConnection {
  readonly streamQuery = noStream
  readonly #send: SendBatch
  readonly #statements: RawStatement[] = []
  #results: Promise<readonly BatchResult[]> | null = null
  #isSent = false

  constructor(send: SendBatch) {
    this.#send = send
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isSent) throw new Error('a transaction of one message takes the statements that begin at once')
    const at = this.#statements.push(toTextStatement(query)) - 1
    this.#results ??= new Promise((resolve, reject) =>
      process.nextTick(() => {
        this.#isSent = true
        this.#send(this.#statements).then(resolve, reject)
      }),
    )
    return batchToQueryResult((await this.#results)[at] as BatchResult)
  }
}

/** One transaction on a client; it begins with the first statement. */
class OpenTransaction implements DatabaseConnection {
  readonly streamQuery = noStream
  readonly #client: pg.PoolClient
  readonly #begin: readonly string[]
  #state: 'not begun' | 'open' | 'ended' = 'not begun'

  constructor(client: pg.PoolClient, begin: readonly string[]) {
    this.#client = client
    this.#begin = begin
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return toQueryResult(await this.#query([sql, parameters]))
  }

  /** Ends an open transaction. An error of the rollback is ignored in favour of the error that caused it. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    const ended = this.#client.query(how)
    await (how === 'commit' ? ended : ended.catch(() => undefined))
  }

  async #query(statement: Statement): Promise<pg.QueryResult> {
    if (this.#state === 'open') return query(this.#client, statement)
    this.#state = 'open'
    return queryAfter(this.#client, this.#begin, statement)
  }
}

/** Whether the connection may have several queries in flight. */
const isPipelined = (client: pg.PoolClient): client is pg.PoolClient & PreparedClient =>
  client instanceof PreparedClient && client.isPipelined

/** Runs a statement on the client, prepared by name only where it has parameters. */
const query = (client: pg.PoolClient, [text, values]: Statement): Promise<pg.QueryResult> =>
  values.length === 0 ? client.query(text) : client.query(text, [...values])

/** Runs a statement after the messages that begin its transaction, all in one packet where the client supports it. */
const queryAfter = async (client: pg.PoolClient, begin: readonly string[], statement: Statement): Promise<pg.QueryResult> => {
  if (isPipelined(client)) return client.queryAfter(begin, statement)
  for (const message of begin) await client.query(message)
  return query(client, statement)
}

const WRITE_COMMANDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Kysely's result of a statement: its rows, and the number of changed rows of a write. */
const toQueryResult = <R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> =>
  WRITE_COMMANDS.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as R[] } : { rows: rows as R[] }

/** Kysely's result of a statement that was sent in a batch: its rows as objects, and the number of changed rows of a write. */
const batchToQueryResult = <R>({ command, columns, rows }: BatchResult): QueryResult<R> => {
  const [verb = '', ...counts] = command.split(' ')
  const objects = rows.map((row) => toObject(columns, row)) as R[]
  return WRITE_COMMANDS.has(verb) ? { numAffectedRows: BigInt(counts.at(-1) ?? 0), rows: objects } : { rows: objects }
}

/** A row as an object by the names of its columns, with its texts parsed; null stays. */
const toObject = (columns: readonly Column[], row: RawRow): Record<string, unknown> => {
  const object: Record<string, unknown> = {}
  columns.forEach(({ name, parse }, at) => {
    const text = row[at] ?? null
    object[name] = text === null ? null : parse(text)
  })
  return object
}
