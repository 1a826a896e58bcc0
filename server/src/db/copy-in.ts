import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { DbRole, Store } from './database.ts'
import { beginMessages } from './opening.ts'

/** A table without row-level security, and the columns to fill. */
export interface LoadTarget {
  readonly table: string
  readonly columns: readonly string[]
}

/** The values of a row in PostgreSQL's text format, in the order of the columns. */
export type LoadRow = readonly (string | null)[]

/** The characters of a COPY on the embedded database, some 1,500 rows: it serves nobody else meanwhile. */
const CHUNK_LENGTH = 250_000

/** How many rows one statement may move out of a staging table. The embedded database can only be stopped between two statements. */
export const rowsPerStatement = (store: Store): number => (store.kind === 'embedded' ? 20_000 : Number.MAX_SAFE_INTEGER)

/**
 * Streams rows into a table in bounded memory: one COPY in one transaction on PostgreSQL, one for every 250 KB on the embedded database,
 * whose only session must never wait for a file. Rejects when `batches` rejects; earlier rows may then stay.
 * @param batches rows in groups of any size
 */
export const loadRows = async (store: Store, as: DbRole, target: LoadTarget, batches: AsyncIterable<readonly LoadRow[]>): Promise<void> => {
  if (store.kind === 'postgres') return copyText(store, as, target, toCopyText(batches))
  const chunks = inChunks(toCopyText(batches))
  try {
    for (let chunk = await chunks.next(); chunk.done !== true; ) {
      // The next chunk is made while the engine's thread takes this one.
      const [, next] = await Promise.all([copyText(store, as, target, [chunk.value]), setImmediate().then(() => chunks.next())])
      chunk = next
    }
  } finally {
    await chunks.return(undefined)
  }
}

/** Copies text into the table in one transaction, and commits. */
const copyText = async (
  store: Store,
  as: DbRole,
  { table, columns }: LoadTarget,
  text: Iterable<string> | AsyncIterable<string>,
): Promise<void> => {
  const isEmbedded = store.kind === 'embedded'
  const opening = { pool: isEmbedded ? 'embedded' : 'background', isDistributed: await store.isDistributed() } as const
  const begin = [...beginMessages(as, opening), 'set local statement_timeout = 0'] // the file may arrive slowly
  const copy = `copy ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')}) from stdin`
  const client = await store.pools.background.connect()
  try {
    // The embedded database has one session for all, which no transaction may hold between two messages.
    if (!isEmbedded) for (const message of begin) await client.query(message)
    const message = isEmbedded ? [...begin, copy, 'commit'].join('; ') : copy
    await pipeline(Readable.from(text, { objectMode: false }), client.query(copyFrom(message)))
    if (!isEmbedded) await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true) // a connection in the middle of a COPY cannot be used again
    throw error
  }
}

/** The name as a quoted SQL identifier. */
const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The rows as text of COPY: a line for each, with tabs between the values. */
async function* toCopyText(batches: AsyncIterable<readonly LoadRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) if (rows.length > 0) yield rows.map((row) => `${row.map(toCopyValue).join('\t')}\n`).join('')
}

/** Joins texts until they have CHUNK_LENGTH characters. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A value with its backslashes, tabs and line ends escaped for COPY; `\N` for null. */
const toCopyValue = (value: string | null): string =>
  value === null
    ? '\\N'
    : /[\\\t\n\r]/.test(value)
      ? value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
      : value
