import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { storedDebtFault } from '../../db/constraints/invoice-debt.ts'
import { matchesRow } from './check-lines.queries.ts'
import { filledColumns, type ImportKind, nextValue } from './kind.rules.ts'

/** The SQL condition that a staged line `r` of the import is free of faults and no repetition. */
const applicableRows = (importId: string): RawBuilder<unknown> =>
  sql`r.import_id = ${importId}::uuid and r.reason is null and r.fault is null and not r.repeats`

const customerKeys = sql`array_remove(regexp_split_to_array(r.v ->> 'customers', '\\s*;\\s*'), '')`
const user = sql`app_user u on u.reseller_id = app_reseller_id() and u.external_id = r.v ->> 'externalId'`

/** The customer `c` that each of the listed keys `n` of the row `r` names. */
const listedCustomers = sql`unnest(${customerKeys}) with ordinality n(k, place)
  join lateral (select c.id from customer c where c.external_id = n.k or c.id::text = n.k order by (c.external_id = n.k) desc nulls last limit 1) c on true`

/** Whether a line of users lists other customers than the user `t` has. */
const listsOtherCustomers = sql`r.v ? 'customers'
  and array(select uc.customer_id from user_customer uc where uc.user_id = t.id order by 1)
    is distinct from array(select distinct c.id from ${listedCustomers} order by 1)`

/**
 * Updates the stored rows that the staged lines name and change. Fields that a line does not have keep their value. A user who gets other
 * customers counts as changed too.
 * @returns the number of changed rows
 */
export const updateExisting = async (db: Db, kind: ImportKind, importId: string): Promise<number> => {
  const keys: readonly string[] = kind.key
  const changes = filledColumns(kind)
    .filter(({ column }) => !keys.includes(column))
    .map((filled) => ({ column: filled.column, old: sql`t.${sql.id(filled.column)}`, next: nextValue(kind, filled) }))
  const { numAffectedRows } = await sql`
    update ${sql.table(kind.table)} t set ${sql.join(changes.map(({ column, next }) => sql`${sql.id(column)} = ${next}`))}
    from record_import_row r
    where ${applicableRows(importId)} and ${matchesRow(kind)}
      and (row(${sql.join(changes.map(({ old }) => old))}) is distinct from row(${sql.join(changes.map(({ next }) => next))})
        or ${kind.table === 'app_user' ? listsOtherCustomers : sql`false`})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Inserts the rows of the staged lines that are not stored yet, in the order of the lines. @returns the number of new rows */
export const insertNew = async (db: Db, kind: ImportKind, importId: string): Promise<number> => {
  const columns = filledColumns(kind)
  const ofReseller = kind.key[0] === 'reseller_id' ? [{ column: 'reseller_id', value: sql`app_reseller_id()` }] : []
  const all = [...ofReseller, ...columns]
  const { numAffectedRows } = await sql`
    insert into ${sql.table(kind.table)} (${sql.join(all.map(({ column }) => sql.id(column)))})
    select ${sql.join(all.map(({ value }) => value))} from record_import_row r
    where ${applicableRows(importId)} and not exists (select from ${sql.table(kind.table)} t where ${matchesRow(kind)}) order by r.line`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Counts the lines whose stored row is protected: its preserved columns keep their stored value, whatever the line says. */
export const countPreserved = async (db: Db, kind: ImportKind, importId: string): Promise<number> => {
  if (kind.preserved === undefined) return 0
  const { rows } = await sql<{ kept: number }>`
    select count(*)::int as kept from record_import_row r join ${sql.table(kind.table)} t on ${matchesRow(kind)}
    where ${applicableRows(importId)} and ${kind.preserved.when}`.execute(db)
  return rows[0]?.kept ?? 0
}

/**
 * Replaces the customers for whom each user may act by those that the user's line lists. The first is selected unless one of them already
 * is.
 */
export const linkUsers = async (db: Db, importId: string): Promise<void> => {
  const links = sql`
    select u.id as user_id, c.id as customer_id, n.place from record_import_row r join ${user}
    cross join lateral ${listedCustomers}
    where ${applicableRows(importId)} and r.v ? 'customers'`
  await sql`
    with link as (${links})
    delete from user_customer uc using record_import_row r join ${user}
    where ${applicableRows(importId)} and r.v ? 'customers' and uc.user_id = u.id
      and not exists (select from link where link.user_id = uc.user_id and link.customer_id = uc.customer_id)`.execute(db)
  await sql`
    insert into user_customer (user_id, customer_id, selected)
    select l.user_id, l.customer_id, l.place = 1 and not exists (select from user_customer x where x.user_id = l.user_id and x.selected)
    from (${links}) l on conflict do nothing`.execute(db)
}

/**
 * Finds the next of all the reseller's invoices that need a token for online payment. One whose stored debt cannot be gets one when it is
 * mended.
 */
export const findInvoicesWithoutPayToken = async (db: Db, limit: number): Promise<{ customer: number; invoice: number }[]> => {
  const { rows } = await sql<{ customer: number; invoice: number }>`
    select i.customer_id as customer, i.id as invoice from invoice i
    where i.pay_token_hash is null and ${storedDebtFault('i')} is null and exists (select from reseller s where s.id = app_reseller_id() and s.payments_enabled) limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Stores the PDF of the invoice that this staged line names. */
export const saveInvoiceFile = async (db: Db, importId: string, line: number, bytes: Buffer): Promise<void> => {
  await sql`
    insert into invoice_file as f (customer_id, invoice_id, bytes)
    select i.customer_id, i.id, ${bytes}::bytea from record_import_row r
    join invoice i on i.customer_id = r.ids[1] and i.external_id = r.v ->> 'externalId'
    where r.import_id = ${importId}::uuid and r.line = ${line}
    on conflict (customer_id, invoice_id) do update set bytes = excluded.bytes where f.bytes <> excluded.bytes`.execute(db)
}
