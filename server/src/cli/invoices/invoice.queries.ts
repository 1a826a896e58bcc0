import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { creditMinor, dueMinor } from '../../db/constraints/invoice-debt.ts'

/** Which invoices are meant; what is left out does not matter. */
export interface InvoiceFilter {
  readonly customerId?: number
  readonly number?: string
  readonly externalId?: string
  readonly id?: number
  /** One stored status of invoice.status. */
  readonly status?: number
  /** Those that are past their due day with something left to pay, or those that are not. */
  readonly isOverdue?: boolean
  readonly today: string
  readonly limit: number
}

/** The SQL condition that an invoice's due day is before today and something is left to pay, whatever its stored status. */
const isPastDue = (today: string) => sql<boolean>`(invoice.due_on < ${today}::date and ${dueMinor('invoice')} > 0)`

/** The invoices of a reseller that match, newest first. Amounts are in minor units. Runs as counterfoil_reseller. */
export const listInvoices = (db: Db, filter: InvoiceFilter) =>
  db
    .selectFrom('invoice')
    .innerJoin('customer', 'customer.id', 'invoice.customer_id')
    .select([
      'invoice.id',
      'invoice.number',
      'invoice.external_id as externalId',
      'invoice.customer_id as customerId',
      'customer.external_id as customerExternalId',
      'invoice.status',
      'invoice.currency',
      'invoice.amount_minor as amountMinor',
      dueMinor('invoice').as('amountDueMinor'),
      creditMinor('invoice').as('creditMinor'),
      'invoice.issued_on as issuedOn',
      'invoice.due_on as dueOn',
      'invoice.generated_at as generatedAt',
      'invoice.corrects',
      'invoice.agreement_id as agreement',
      'invoice.period_id as period',
    ])
    .$if(filter.customerId !== undefined, (query) => query.where('invoice.customer_id', '=', filter.customerId ?? 0))
    .$if(filter.number !== undefined, (query) => query.where('invoice.number', '=', filter.number ?? ''))
    .$if(filter.externalId !== undefined, (query) => query.where('invoice.external_id', '=', filter.externalId ?? ''))
    .$if(filter.id !== undefined, (query) => query.where('invoice.id', '=', filter.id ?? 0))
    .$if(filter.status !== undefined, (query) => query.where('invoice.status', '=', filter.status ?? 0))
    .$if(filter.isOverdue !== undefined, (query) => query.where(isPastDue(filter.today), '=', filter.isOverdue ?? false))
    .orderBy('invoice.issued_on', 'desc')
    .orderBy('invoice.id', 'desc')
    .limit(filter.limit)
    .execute()

export type InvoiceRow = Awaited<ReturnType<typeof listInvoices>>[number]

/** An invoice of a customer. */
export type InvoiceKey = Pick<InvoiceRow, 'customerId' | 'id'>

/** The lines of an invoice by their number. Amounts are in minor units. */
export const listLines = (db: Db, { customerId, id }: InvoiceKey) =>
  db
    .selectFrom('invoice_line')
    .select([
      'line_no as lineNo',
      'service_name as service',
      'description',
      'service_item as serviceItem',
      'from_on as from',
      'to_on as to',
      'quantity',
      'unit',
      'unit_price as unitPrice',
      'amount_minor as amountMinor',
    ])
    .where('customer_id', '=', customerId)
    .where('invoice_id', '=', id)
    .orderBy('line_no')
    .execute()

/** The taxes of an invoice by their number. Amounts are in minor units. */
export const listTaxes = (db: Db, { customerId, id }: InvoiceKey) =>
  db
    .selectFrom('invoice_tax')
    .select(['tax_no as taxNo', 'name', 'rate_percent as ratePercent', 'amount_minor as amountMinor'])
    .where('customer_id', '=', customerId)
    .where('invoice_id', '=', id)
    .orderBy('tax_no')
    .execute()

/** The payments of any status that pay the invoice, newest first, each with the amount for this invoice alone. */
export const listPaymentsOfInvoice = (db: Db, { customerId, id }: InvoiceKey) =>
  db
    .selectFrom('payment_attempt_item as item')
    .innerJoin('payment_attempt as attempt', (join) =>
      join.onRef('attempt.customer_id', '=', 'item.customer_id').onRef('attempt.id', '=', 'item.attempt_id'),
    )
    .select(['attempt.id', 'attempt.status', 'item.amount_minor as amountMinor', 'attempt.created_at as createdAt'])
    .where('item.customer_id', '=', customerId)
    .where('item.invoice_id', '=', id)
    .orderBy('attempt.created_at', 'desc')
    .orderBy('attempt.id')
    .execute()
