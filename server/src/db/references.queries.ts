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
      select count(*) as count from ${sql.table(other)} d where exists (select from (${rows}) r where ${on})`.execute(db)
    const count = found[0]?.count ?? 0
    if (count > 0) counts.push({ words, count })
  }
  return counts
}

/** The SQL condition that anything depends on the row `r` of this table. */
export const isReferenced = (table: string): RawBuilder<boolean> => {
  const found = (REFERENCES[table] ?? []).map(({ table: other, on }) => sql`exists (select from ${sql.table(other)} d where ${on})`)
  return found.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(found, sql` or `)})`
}

/** The counts as words, as in "2 invoices, 1 payments". */
export const formatReferences = (counts: readonly ReferenceCount[]): string =>
  counts.map(({ words, count }) => `${count.toLocaleString('en')} ${words}`).join(', ')
