import { PassThrough, pipeline, Readable } from 'node:stream'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { begin, type Db, type DbRole, type Store } from './database.ts'
import type { Tables } from './tables/tables.ts'

/** What a download says before its first row, and how its rows come. */
export interface ExportPlan {
  /** How many rows will come: counted in the snapshot that they are read from. */
  readonly rows: number
  /** On PostgreSQL: the query whose rows are copied out as CSV. COPY takes no parameters, so every value in it is written out, checked. */
  readonly query: string
  /** On the embedded database: the same rows as CSV text, slice by slice, each slice a short transaction of its own. */
  slices(within: <T>(work: (db: Db) => Promise<T>) => Promise<T>): AsyncIterable<string>
}

export interface Export {
  readonly rows: number
  readonly body: Readable
}

/**
 * Streams the rows of a query as CSV in bounded memory: COPY on PostgreSQL, in slices on the embedded database, which would answer COPY
 * with one piece of everything. Destroying the stream stops the query.
 */
export type OpenExport = (as: DbRole, head: string, plan: (db: Db) => Promise<ExportPlan>) => Promise<Export>

export const exporter =
  (store: Store): OpenExport =>
  (as, head, plan) =>
    store.kind === 'postgres' ? store.reading((near) => copied(near, as, head, plan)) : sliced(store, as, head, plan)

const sliced = async (store: Store, as: DbRole, head: string, plan: (db: Db) => Promise<ExportPlan>): Promise<Export> => {
  const { rows, slices } = await store.transact(as, plan, 'background')
  const pieces = async function* (): AsyncGenerator<string> {
    yield head
    yield* slices((work) => store.transact(as, work, 'background'))
  }
  return { rows, body: Readable.from(pieces(), { objectMode: false }) }
}

const copied = async (store: Store, as: DbRole, head: string, plan: (db: Db) => Promise<ExportPlan>): Promise<Export> => {
  const client = await store.pools.background.connect()
  try {
    const db = onClient(client)
    await sql.raw(begin(as, 'repeatable read read only')).execute(db)
    const { rows, query } = await plan(db)
    const copy = client.query(copyTo(`copy (${query}) to stdout with (format csv)`))
    const body = new PassThrough()
    body.write(head)
    // Not an async generator: one that waits for its next piece hears of a reader that has gone only when the piece is there.
    pipeline(copy, body, (failure) => giveBack(client, failure === undefined || failure === null))
    return { rows, body }
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** A connection in the middle of a copy is of no further use: closing it makes the server stop. */
const giveBack = (client: pg.PoolClient, isWhole: boolean): void => {
  if (!isWhole) return client.release(true)
  client.query('commit').then(
    () => client.release(),
    () => client.release(true),
  )
}

/** Kysely over one connection that somebody else holds. */
const onClient = (client: pg.PoolClient): Db => {
  const held = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => held, end: async () => undefined, options: {} } }),
  })
}
