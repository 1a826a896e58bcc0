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
import type pg from 'pg'
import type { Db } from './database.ts'
import { PreparedClient, type Statement } from './prepared-client.ts'
import type { TextStatement } from './statement-batch.ts'
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

/** The text of a statement, and its parameters as text. */
export const compileText = (statement: RawBuilder<unknown>): TextStatement => {
  const { sql, parameters } = statement.compile(withoutConnection)
  return { text: sql, values: parameters.map((value) => (value === null ? null : String(value))) }
}

/**
 * Runs `work` in a transaction on this client, which must not be in one.
 * @param begin the SQL that begins the transaction
 * @param pipelined sends begin, the only statement and commit as one message
 */
export const runTransaction = async <T>(
  client: pg.PoolClient,
  begin: string,
  work: (db: Db) => Promise<T>,
  pipelined: boolean,
): Promise<T> => {
  const transaction = new OpenTransaction(client, begin, pipelined)
  const executor = new DefaultQueryExecutor(compiler, adapter, { provideConnection: (consumer) => consumer(transaction) })
  try {
    const result = await work(new Kysely<Tables>({ config: { dialect }, dialect, driver, executor }))
    await transaction.end('commit')
    return result
  } catch (error) {
    await transaction.end('rollback')
    throw error
  }
}

/** One transaction on a client; it begins with the first statement. */
class OpenTransaction implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #begin: string
  readonly #pipelined: boolean
  #state: 'not begun' | 'open' | 'ended' = 'not begun'

  constructor(client: pg.PoolClient, begin: string, pipelined: boolean) {
    this.#client = client
    this.#begin = begin
    this.#pipelined = pipelined
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return toQueryResult(await this.#query([sql, parameters]))
  }

  // oxlint-disable-next-line require-yield -- nothing is streamed here: exports use COPY (db/copy-out.ts)
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported inside a transaction')
  }

  /** Ends an open transaction. An error of the rollback is ignored in favour of the error that caused it. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    const ended = this.#client.query(how)
    await (how === 'commit' ? ended : ended.catch(() => undefined))
  }

  async #query(statement: Statement): Promise<pg.QueryResult> {
    if (!this.#pipelined) {
      if (this.#state === 'open') return query(this.#client, statement)
      this.#state = 'open'
      return lastResult(await queryAll(this.#client, [[this.#begin, []], statement], { coalesce: false }))
    }
    if (this.#state !== 'not begun') throw new Error('a pipelined transaction takes one statement')
    this.#state = isPipelined(this.#client) ? 'ended' : 'open'
    const [, result] = await queryAll(this.#client, [[this.#begin, []], statement, ['commit', []]], { coalesce: true })
    this.#state = 'ended'
    return result as pg.QueryResult
  }
}

const isPipelined = (client: pg.PoolClient): client is pg.PoolClient & PreparedClient =>
  client instanceof PreparedClient && client.isPipelined

const query = (client: pg.PoolClient, [text, values]: Statement): Promise<pg.QueryResult> =>
  values.length === 0 ? client.query(text) : client.query(text, [...values])

/** Runs the statements, as one message where the client supports it. */
const queryAll = async (
  client: pg.PoolClient,
  statements: readonly Statement[],
  options: { readonly coalesce: boolean },
): Promise<pg.QueryResult[]> => {
  if (isPipelined(client)) return client.queryAll(statements, options)
  const results: pg.QueryResult[] = []
  for (const statement of statements) results.push(await query(client, statement))
  return results
}

const lastResult = (results: readonly pg.QueryResult[]): pg.QueryResult => results.at(-1) as pg.QueryResult

const WRITE_COMMANDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const toQueryResult = <R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> =>
  WRITE_COMMANDS.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as R[] } : { rows: rows as R[] }
