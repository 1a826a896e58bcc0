import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Which payments are meant; what is left out does not matter. */
export interface PaymentFilter {
  readonly id?: string
  readonly customerId?: number
  /** The external id or the number of an invoice that it pays. */
  readonly invoice?: string
  readonly status?: string
  readonly limit: number
}

/** The payments of a reseller with the invoices that they pay, newest first. Runs as counterfoil_reseller. */
export const listPayments = (db: Db, filter: PaymentFilter) =>
  db
    .selectFrom('payment_attempt as attempt')
    .innerJoin('customer', 'customer.id', 'attempt.customer_id')
    .select([
      'attempt.id',
      'attempt.status',
      'attempt.provider',
      'attempt.provider_ref as providerRef',
      'attempt.currency',
      'attempt.amount_minor as amountMinor',
      'attempt.customer_id as customerId',
      'customer.external_id as customerExternalId',
      'attempt.created_at as createdAt',
      sql<string[]>`array(
        select i.number from payment_attempt_item item join invoice i on i.customer_id = item.customer_id and i.id = item.invoice_id
        where item.customer_id = attempt.customer_id and item.attempt_id = attempt.id order by item.item_no)`.as('invoices'),
      sql<number[]>`array(
        select item.invoice_id from payment_attempt_item item
        where item.customer_id = attempt.customer_id and item.attempt_id = attempt.id and item.invoice_id is not null
        order by item.item_no)`.as('invoiceIds'),
    ])
    .$if(filter.id !== undefined, (query) => query.where('attempt.id', '=', filter.id ?? ''))
    .$if(filter.customerId !== undefined, (query) => query.where('attempt.customer_id', '=', filter.customerId ?? 0))
    .$if(filter.status !== undefined, (query) => query.where('attempt.status', '=', filter.status ?? ''))
    .$if(filter.invoice !== undefined, (query) =>
      query.where(
        sql<boolean>`(attempt.customer_id, attempt.id) in (
          select item.customer_id, item.attempt_id from invoice i
          join payment_attempt_item item on item.customer_id = i.customer_id and item.invoice_id = i.id
          where i.external_id = ${filter.invoice} or i.number = ${filter.invoice})`,
      ),
    )
    .orderBy('attempt.created_at', 'desc')
    .orderBy('attempt.id')
    .limit(filter.limit)
    .execute()

export type ListedPayment = Awaited<ReturnType<typeof listPayments>>[number]
