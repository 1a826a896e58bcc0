import { PassThrough, pipeline, Readable } from 'node:stream'
import { createQueryId, Kysely, PostgresDialect, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Db, DbRole, Store } from './database.ts'
import { toUsageError } from './lost-connection.ts'
import { beginMessages } from './opening.ts'
import type { Tables } from './tables/tables.ts'

/** How many rows a download has, and how to read them. */
export interface ExportPlan {
  /** The number of rows, counted in the snapshot that they are read from. */
  readonly rows: number
  /** On PostgreSQL: the query whose rows are copied out as CSV, without parameters (compileWithLiterals). */
  readonly query: string
  /** On the embedded database: the same rows as CSV text, in slices, each read in a short transaction of its own. */
  slices(transact: <T>(work: (db: Db) => Promise<T>) => Promise<T>): AsyncIterable<string>
}

export interface Export {
  readonly rows: number
  readonly body: Readable
}

/**
 * Streams the rows of a query as CSV in bounded memory: COPY on PostgreSQL, in slices on the embedded database, which would answer COPY
 * with a single chunk. Destroying the stream stops the query.
 */
export type OpenExport = (as: DbRole, header: string, plan: (db: Db) => Promise<ExportPlan>) => Promise<Export>

/**
 * Makes the function that streams a query's rows as CSV: by COPY from PostgreSQL, its replica where that keeps up, or in slices from
 * the embedded database.
 */
export const createExporter =
  (store: Store): OpenExport =>
  (as, header, plan) =>
    store.kind === 'postgres'
      ? store.readFromReplica((store) => openCopyExport(store, as, header, plan))
      : openSlicedExport(store, as, header, plan)

/** Writes each value into the text: a whole number as it is, a text in quotes. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === 'string') this.append(pg.escapeLiteral(value))
    else if (Number.isSafeInteger(value)) this.append(String(value))
    else throw new TypeError('COPY takes whole numbers and texts alone')
  }
}

/**
 * The SQL of a query with its values in the text, because COPY takes no parameters.
 * @throws TypeError for a value that is neither a whole number nor a text
 */
export const compileWithLiterals = (query: RawBuilder<unknown>): string =>
  new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql

/** Counts the rows in one transaction, then reads each slice in a transaction of its own, as the stream is read. */
const openSlicedExport = async (store: Store, as: DbRole, header: string, plan: (db: Db) => Promise<ExportPlan>): Promise<Export> => {
  const { rows, slices } = await store.transact(as, plan, { pool: 'background' })
  const chunks = async function* (): AsyncGenerator<string> {
    yield header
    yield* slices((work) => store.transact(as, work, { pool: 'background' }))
  }
  return { rows, body: Readable.from(chunks(), { objectMode: false }) }
}

/** Counts the rows and copies them out in one read-only snapshot, on a connection that is held until the stream ends. */
const openCopyExport = async (store: Store, as: DbRole, header: string, plan: (db: Db) => Promise<ExportPlan>): Promise<Export> => {
  const client = await store.connect(as, { pool: 'background', usage: 'replica' })
  try {
    const db = dbOnClient(client)
    const opening = { pool: 'background', isolation: 'repeatable read read only', isDistributed: await store.isDistributed() } as const
    for (const message of beginMessages(as, opening)) await sql.raw(message).execute(db)
    const { rows, query } = await plan(db)
    const copy = client.query(copyTo(`copy (${query}) to stdout with (format csv)`))
    const body = new PassThrough()
    body.write(header)
    // Not an async generator: while it waits for its next chunk, it does not notice that the reader has gone.
    pipeline(copy, body, (error) => endCopyTransaction(client, error === undefined || error === null))
    return { rows, body }
  } catch (error) {
    client.release(true)
    throw (await store.isDistributed()) ? toUsageError(error) : error
  }
}

/**
 * Commits the transaction of a complete COPY and gives its connection back to the pool. Closes the connection of one that broke off: it
 * cannot be used again, and closing makes the server stop.
 */
const endCopyTransaction = (client: pg.PoolClient, isComplete: boolean): void => {
  if (!isComplete) return client.release(true)
  client.query('commit').then(
    () => client.release(),
    () => client.release(true),
  )
}

/** Kysely over a connection that the caller holds and releases. Begins no transaction. */
const dbOnClient = (client: pg.PoolClient): Db => {
  const heldClient = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => heldClient, end: async () => undefined, options: {} } }),
  })
}
