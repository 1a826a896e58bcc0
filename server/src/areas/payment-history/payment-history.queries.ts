import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { shownSymbol } from '../../db/shown-symbol.ts'
import { methodShown } from '../../payments/payment-summary.queries.ts'
import { LETTERHEAD } from '../../documents/pdf/letterhead.ts'
import type { CustomerScope } from '../../session/scope.ts'

/** Finds an invoice's id and currency symbol; undefined for another customer's as for a missing one. */
export const findInvoice = (db: Db, scope: CustomerScope, id: number) =>
  db
    .selectFrom('invoice')
    .innerJoin('customer', 'customer.id', 'invoice.customer_id')
    .select(['invoice.id', shownSymbol('invoice').as('currencySymbol')])
    .where(scope.owns('invoice'))
    .where('invoice.id', '=', id)
    .executeTakeFirst()

/** How many attempts there were to pay an invoice, failed ones too. */
export const countAttempts = async (db: Db, scope: CustomerScope, invoiceId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('payment_attempt_item')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(scope.owns('payment_attempt_item'))
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const invoiceCount = sql<number>`(select count(*)::int from payment_attempt_item other
  where other.customer_id = attempt.customer_id and other.attempt_id = attempt.id and other.invoice_id is not null)`.as('invoiceCount')

/** What the attempt paid beyond what was due of the invoice, as far as nothing has used it up since. */
const overpaidMinor = sql<number>`(select coalesce(greatest(0, least(
    coalesce(sum(ledger.overpaid_minor) filter (where ledger.attempt_id = attempt.id), 0), sum(ledger.overpaid_minor))), 0)::bigint
  from payment_allocation ledger where ledger.customer_id = item.customer_id and ledger.invoice_id = item.invoice_id)`.as('overpaidMinor')

/** A page of the attempts to pay an invoice, newest first, failed ones too. */
export const listAttempts = (db: Db, scope: CustomerScope, invoiceId: number, page: { offset: number; limit: number }) =>
  db
    .selectFrom('payment_attempt_item as item')
    .innerJoin('payment_attempt as attempt', (join) =>
      join.onRef('attempt.customer_id', '=', 'item.customer_id').onRef('attempt.id', '=', 'item.attempt_id'),
    )
    .leftJoin('payment_method as method', (join) =>
      join.onRef('method.customer_id', '=', 'attempt.customer_id').onRef('method.id', '=', 'attempt.method_id'),
    )
    .select([
      'attempt.id',
      'attempt.created_at as createdAt',
      'attempt.currency',
      'attempt.amount_minor as totalMinor',
      'attempt.fee_minor as feeMinor',
      'attempt.refunded_minor as refundedMinor',
      'attempt.reversed_minor as reversedMinor',
      'attempt.status',
      'attempt.user_message as userMessage',
      'attempt.method_type as methodType',
      'attempt.reseller_id as resellerId',
      'attempt.account_id as accountId',
      'attempt.is_debit as isDebit',
      'item.amount_minor as amountMinor',
      methodShown,
      invoiceCount,
      overpaidMinor,
    ])
    .where(scope.owns('item'))
    .where('item.invoice_id', '=', invoiceId)
    .orderBy('attempt.created_at', 'desc')
    .orderBy('attempt.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()

export type HistoryRow = Awaited<ReturnType<typeof listAttempts>>[number]

/**
 * Finds an attempt with the general part of its receipt, whether or not it has paid: `paidAt` is null then. Undefined when the customer has
 * no such attempt.
 */
export const findReceiptHead = (db: Db, scope: CustomerScope, id: string) =>
  db
    .selectFrom('payment_attempt as attempt')
    .innerJoin('customer', 'customer.id', 'attempt.customer_id')
    .innerJoin('reseller', 'reseller.id', 'customer.reseller_id')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .leftJoin('brand_image as logo', (join) => join.onRef('logo.brand_id', '=', 'brand.id').on('logo.kind', '=', 'logo'))
    .leftJoin('payment_method as method', (join) =>
      join.onRef('method.customer_id', '=', 'attempt.customer_id').onRef('method.id', '=', 'attempt.method_id'),
    )
    .select([
      'attempt.id',
      'attempt.status',
      'attempt.currency',
      'attempt.amount_minor as totalMinor',
      'attempt.fee_line as feeLine',
      'attempt.fee_minor as feeMinor',
      'attempt.refunded_minor as refundedMinor',
      'attempt.method_type as methodType',
      'attempt.provider_ref as providerRef',
      ...LETTERHEAD,
      shownSymbol('attempt').as('currencySymbol'),
      'reseller.invoice_label_singular as invoiceLabel',
      methodShown,
      sql<Date | null>`(select min(recorded_at) from payment_allocation paid
        where paid.customer_id = attempt.customer_id and paid.attempt_id = attempt.id)`.as('paidAt'),
    ])
    .where(scope.owns('attempt'))
    .where('attempt.id', '=', id)
    .executeTakeFirst()

export type ReceiptHead = NonNullable<Awaited<ReturnType<typeof findReceiptHead>>>

/** The items of a payment attempt in their order: invoices by number, adjustments by description. */
export const listReceiptLines = (db: Db, scope: CustomerScope, id: string) =>
  db
    .selectFrom('payment_attempt_item as item')
    .leftJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 'item.customer_id').onRef('invoice.id', '=', 'item.invoice_id'))
    .leftJoin('payment_adjustment as adjustment', (join) =>
      join.onRef('adjustment.customer_id', '=', 'item.customer_id').onRef('adjustment.id', '=', 'item.adjustment_id'),
    )
    .select(['invoice.number', 'invoice.issued_on as issuedOn', 'adjustment.description', 'item.amount_minor as amountMinor'])
    .where(scope.owns('item'))
    .where('item.attempt_id', '=', id)
    .orderBy('item.item_no')
    .execute()

export type ReceiptLineRow = Awaited<ReturnType<typeof listReceiptLines>>[number]
