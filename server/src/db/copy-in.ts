import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RawBuilder, sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import { beginStatement, type DbRole, type Store } from './database.ts'

/** A table without row-level security, and the columns to fill, with their types. */
export interface LoadTarget {
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** The values of a row in PostgreSQL's text format, in the order of the columns. */
export type LoadRow = readonly (string | null)[]

/** Rows of one statement on the embedded database. */
const BATCH_ROWS = 1_000

/** How many rows one statement may move out of a staging table. The embedded database can only be stopped between two statements. */
export const rowsPerStatement = (store: Store): number => (store.kind === 'embedded' ? 20_000 : Number.MAX_SAFE_INTEGER)

/**
 * Streams rows into a table in bounded memory: one COPY in one transaction on PostgreSQL, one transaction for each 1,000 rows on the
 * embedded database, whose only session must never wait for a file. Rejects when `batches` rejects; earlier rows may then stay.
 * @param batches rows in groups of any size
 */
export const loadRows = (store: Store, as: DbRole, target: LoadTarget, batches: AsyncIterable<readonly LoadRow[]>): Promise<void> =>
  store.kind === 'postgres' ? copyRows(store, as, target, batches) : insertRows(store, as, target, batches)

const copyRows = async (store: Store, as: DbRole, target: LoadTarget, batches: AsyncIterable<readonly LoadRow[]>): Promise<void> => {
  const client = await store.pools.background.connect()
  try {
    await client.query(beginStatement(as))
    await client.query('set local statement_timeout = 0') // the file may arrive slowly
    const columns = target.columns.map(({ name }) => quoteIdentifier(name)).join(', ')
    await pipeline(
      Readable.from(toCopyText(batches), { objectMode: false }),
      client.query(copyFrom(`copy ${quoteIdentifier(target.table)} (${columns}) from stdin`)),
    )
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true) // a connection in the middle of a COPY cannot be used again
    throw error
  }
}

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function* toCopyText(batches: AsyncIterable<readonly LoadRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) if (rows.length > 0) yield rows.map((row) => `${row.map(toCopyValue).join('\t')}\n`).join('')
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const toCopyValue = (value: string | null): string =>
  value === null
    ? '\\N'
    : /[\\\t\n\r]/.test(value)
      ? value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
      : value

const insertRows = async (store: Store, as: DbRole, target: LoadTarget, batches: AsyncIterable<readonly LoadRow[]>): Promise<void> => {
  for await (const rows of batches)
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const batch = insertStatement(target, rows.slice(at, at + BATCH_ROWS))
      await store.transact(as, (db) => batch.execute(db), { pool: 'background' })
    }
}

const insertStatement = ({ table, columns }: LoadTarget, rows: readonly LoadRow[]): RawBuilder<unknown> => {
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  const values = columns.map(({ type }, at) => sql`${rows.map((row) => row[at] ?? null)}::text[]::${sql.raw(type)}[]`)
  return sql`insert into ${sql.id(table)} (${names}) select * from unnest(${sql.join(values)})`
}
