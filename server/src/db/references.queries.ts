import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { REFERENCES } from './references.data.ts'

/** How many rows of one kind depend on others. */
export interface ReferenceCount {
  readonly words: string
  readonly count: number
}

/**
 * Counts, table by table, what depends on rows of a table; tables with nothing are left out. Runs as counterfoil_reseller.
 * @param rows a query whose columns are those of the table
 */
export const countReferences = async (db: Db, table: string, rows: RawBuilder<unknown>): Promise<ReferenceCount[]> => {
  const counts: ReferenceCount[] = []
  for (const { table: other, words, on } of REFERENCES[table] ?? []) {
    const { rows: found } = await sql<{ count: number }>`
      with r as materialized (${rows}) select count(*) as count from ${sql.table(other)} d where exists (select from r where ${on})`.execute(
      db,
    )
    const count = found[0]?.count ?? 0
    if (count > 0) counts.push({ words, count })
  }
  return counts
}

/** SQL: the values of these columns of a row, as one text. */
const keyOf = (row: string, columns: readonly string[]): RawBuilder<string> =>
  sql<string>`jsonb_build_array(${sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))})::text`

/**
 * The SQL condition that anything depends on the row `r` of a table. Usage may be on other machines, so it is asked before.
 * @param rows a query whose columns are those of the table, with the rows that may be asked about
 * @param isDistributed whether usage is on other machines, which cannot look up one row after the other
 */
export const isReferenced = async (
  db: Db,
  { table, key }: { readonly table: string; readonly key: readonly string[] },
  rows: RawBuilder<unknown>,
  isDistributed: boolean,
): Promise<RawBuilder<boolean>> => {
  const references = REFERENCES[table] ?? []
  const used: string[] = []
  for (const { table: other, on, isUsage } of references) {
    if (isUsage !== true) continue
    const found = isDistributed
      ? sql`select distinct ${keyOf('r', key)} as key from r join ${sql.table(other)} d on ${on}`
      : sql`select ${keyOf('r', key)} as key from r where exists (select from ${sql.table(other)} d where ${on})`
    const { rows: keys } = await sql<{ key: string }>`with r as materialized (${rows}) ${found}`.execute(db)
    used.push(...keys.map((row) => row.key))
  }
  const local = references.filter(({ isUsage }) => isUsage !== true)
  const conditions = [
    sql`${keyOf('r', key)} = any(${used}::text[])`,
    ...local.map(({ table: other, on }) => sql`exists (select from ${sql.table(other)} d where ${on})`),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** The counts as words, as in "2 invoices, 1 payments". */
export const formatReferences = (counts: readonly ReferenceCount[]): string =>
  counts.map(({ words, count }) => `${count.toLocaleString('en')} ${words}`).join(', ')
