import type { Day } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { creditMinor, dueMinor } from '../../../db/constraints/invoice-debt.ts'
import { LETTERHEAD } from '../../../documents/pdf/letterhead.ts'
import type { CustomerScope } from '../../../session/scope.ts'

const PAGE_SIZE = 1_000

/** One page of the invoices issued in these days, oldest first; `after` is the last one of the previous page. */
export const billedInvoices = (
  db: Db,
  scope: CustomerScope,
  days: { from: Day; to: Day } | null,
  after: { issuedOn: Day; id: number } | null,
) =>
  db
    .selectFrom('invoice')
    .leftJoin('billing_period as period', (join) =>
      join.onRef('period.customer_id', '=', 'invoice.customer_id').onRef('period.id', '=', 'invoice.period_id'),
    )
    .select([
      'invoice.id',
      'invoice.number',
      'invoice.issued_on as issuedOn',
      'invoice.due_on as dueOn',
      'invoice.status',
      'invoice.currency',
      'invoice.net_minor as netMinor',
      'invoice.amount_minor as amountMinor',
      dueMinor('invoice').as('dueMinor'),
      creditMinor('invoice').as('creditMinor'),
      'period.starts_on as periodStartsOn',
      'period.ends_on as periodEndsOn',
    ])
    .where(scope.owns('invoice'))
    .$if(days !== null, (query) =>
      query.where('invoice.issued_on', '>=', days?.from ?? '').where('invoice.issued_on', '<=', days?.to ?? ''),
    )
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(invoice.issued_on, invoice.id) > (${after?.issuedOn}::date, ${after?.id}::bigint)`),
    )
    .orderBy('invoice.issued_on')
    .orderBy('invoice.id')
    .limit(PAGE_SIZE)
    .execute()

export type BilledInvoice = Awaited<ReturnType<typeof billedInvoices>>[number]

/** The number of invoices issued in these days, by currency. */
export const billedCurrencies = async (
  db: Db,
  scope: CustomerScope,
  days: { from: Day; to: Day } | null,
): Promise<{ currency: string; count: number }[]> => {
  const { rows } = await sql<{ currency: string; count: number }>`
    select invoice.currency, count(*) as count from invoice
    where ${scope.owns('invoice')} ${days === null ? sql`` : sql`and invoice.issued_on between ${days.from} and ${days.to}`}
    group by 1 order by 1`.execute(db)
  return rows
}

/**
 * What is still due now of the invoices issued before a day, and what is left of the credit of credit notes issued before it, by currency.
 * Neither is taken off the other.
 */
export const debtBefore = async (
  db: Db,
  scope: CustomerScope,
  day: Day,
): Promise<{ currency: string; dueMinor: number; creditMinor: number }[]> => {
  const { rows } = await sql<{ currency: string; dueMinor: number; creditMinor: number }>`
    select invoice.currency, sum(${dueMinor('invoice')})::bigint as "dueMinor", sum(${creditMinor('invoice')})::bigint as "creditMinor" from invoice
    where ${scope.owns('invoice')} and invoice.issued_on < ${day} group by 1 order by 1`.execute(db)
  return rows.filter((sums) => sums.dueMinor !== 0 || sums.creditMinor !== 0)
}

/** The letterhead (reseller and brand), recipient and currency of a statement; undefined when the customer is gone. */
export const statementHead = (db: Db, scope: CustomerScope) =>
  db
    .selectFrom('customer')
    .innerJoin('reseller', 'reseller.id', 'customer.reseller_id')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .leftJoin('brand_image as logo', (join) => join.onRef('logo.brand_id', '=', 'brand.id').on('logo.kind', '=', 'logo'))
    .select([
      ...LETTERHEAD,
      'customer.currency',
      'customer.currency_symbol as currencySymbol',
      'reseller.invoice_label_singular as invoiceLabel',
      'reseller.invoice_label_plural as invoiceLabelPlural',
    ])
    .where(scope.owns('customer', 'id'))
    .executeTakeFirst()

export type StatementHead = NonNullable<Awaited<ReturnType<typeof statementHead>>>
