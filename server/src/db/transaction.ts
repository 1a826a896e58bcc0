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
} from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'
import { PreparedClient, type Statement } from './prepared-client.ts'
import type { Tables } from './tables/tables.ts'

/** `one statement` sends begin, the statement and commit as one message, so that it takes one round trip instead of three. */
export type Extent = 'many statements' | 'one statement'

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const driver = new DummyDriver()
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}

/** Runs `work` in a transaction on this client, which must not be in one. */
export const runTransaction = async <T>(
  client: pg.PoolClient,
  beginStatement: string,
  work: (db: Db) => Promise<T>,
  extent: Extent,
): Promise<T> => {
  const transaction = new OpenTransaction(client, beginStatement, extent)
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
  readonly #opening: string
  readonly #extent: Extent
  #state: 'not begun' | 'open' | 'ended' = 'not begun'

  constructor(client: pg.PoolClient, beginStatement: string, extent: Extent) {
    this.#client = client
    this.#opening = beginStatement
    this.#extent = extent
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return toQueryResult(await this.#answer([sql, parameters]))
  }

  // oxlint-disable-next-line require-yield -- nothing is streamed through here: files are copied (kit/export.ts)
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('statements inside a transaction answer whole')
  }

  /** Ends an open transaction. An error of the rollback is ignored in favour of the error that caused it. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    const ended = this.#client.query(how)
    await (how === 'commit' ? ended : ended.catch(() => undefined))
  }

  async #answer(statement: Statement): Promise<pg.QueryResult> {
    if (this.#extent === 'many statements') {
      if (this.#state === 'open') return query(this.#client, statement)
      this.#state = 'open'
      return lastResult(await queryAll(this.#client, [[this.#opening, []], statement], 'at once'))
    }
    if (this.#state !== 'not begun') throw new Error('a transaction of one statement was asked a second one')
    this.#state = isPipelined(this.#client) ? 'ended' : 'open'
    const [, result] = await queryAll(this.#client, [[this.#opening, []], statement, ['commit', []]], 'with others')
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
  goes: 'at once' | 'with others',
): Promise<pg.QueryResult[]> => {
  if (isPipelined(client)) return client.queryAll(statements, goes)
  const results: pg.QueryResult[] = []
  for (const statement of statements) results.push(await query(client, statement))
  return results
}

const lastResult = (results: readonly pg.QueryResult[]): pg.QueryResult => results.at(-1) as pg.QueryResult

const WRITE_COMMANDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const toQueryResult = <R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> =>
  WRITE_COMMANDS.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows: rows as R[] } : { rows: rows as R[] }
