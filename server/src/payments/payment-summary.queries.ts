import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { shownSymbol } from '../db/shown-symbol.ts'
import type { AttemptKey } from './attempts/attempt.queries.ts'
import type { MethodSummary } from './providers/method.ts'

/** What may be shown of the method that pays: the details saved with the attempt, else those of the stored method. */
export const methodShown = sql<MethodSummary | null>`coalesce(attempt.method_shown, method.shown)`.as('methodShown')

/** A payment of the customer with what its payer is told of it, without its items; undefined without one. */
export const findSummaryHead = (db: Db, { owns, id }: AttemptKey) =>
  db
    .selectFrom('payment_attempt as attempt')
    .innerJoin('customer', 'customer.id', 'attempt.customer_id')
    .leftJoin('payment_method as method', (join) =>
      join.onRef('method.customer_id', '=', 'attempt.customer_id').onRef('method.id', '=', 'attempt.method_id'),
    )
    .select([
      'attempt.id',
      'attempt.reseller_id as resellerId',
      'attempt.account_id as accountId',
      'attempt.status',
      'attempt.is_debit as isDebit',
      'attempt.method_type as methodType',
      'attempt.currency',
      'attempt.amount_minor as totalMinor',
      'attempt.fee_line as feeLine',
      'attempt.fee_minor as feeMinor',
      'attempt.receipt_email as email',
      'attempt.created_at as createdAt',
      'attempt.sent_at as sentAt',
      'attempt.next_check_at as nextCheckAt',
      'attempt.checks',
      shownSymbol('attempt').as('currencySymbol'),
      methodShown,
    ])
    .where(owns('attempt'))
    .where('attempt.id', '=', id)
    .executeTakeFirst()

export type SummaryHead = NonNullable<Awaited<ReturnType<typeof findSummaryHead>>>

/** What a payment pays: invoices by number, adjustments by description. */
export const listSummaryItems = (db: Db, { owns, id }: AttemptKey) =>
  db
    .selectFrom('payment_attempt_item as item')
    .leftJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 'item.customer_id').onRef('invoice.id', '=', 'item.invoice_id'))
    .leftJoin('payment_adjustment as adjustment', (join) =>
      join.onRef('adjustment.customer_id', '=', 'item.customer_id').onRef('adjustment.id', '=', 'item.adjustment_id'),
    )
    .select(['invoice.number', 'adjustment.description', 'item.amount_minor as amountMinor'])
    .where(owns('item'))
    .where('item.attempt_id', '=', id)
    .orderBy('item.item_no')
    .execute()

export type SummaryItem = Awaited<ReturnType<typeof listSummaryItems>>[number]
