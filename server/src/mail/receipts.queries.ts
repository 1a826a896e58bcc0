import { randomUUID } from 'node:crypto'
import { dayOf } from '@counterfoil/contract/kit/day'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { paymentReference } from '@counterfoil/contract/kit/payments/payment-reference'
import { enqueueMail } from './mail.queries.ts'
import type { ReceiptFacts } from './receipt-facts.ts'

interface PaidAttempt {
  readonly id: string
  readonly customerId: number
  readonly currency: string
  readonly amountMinor: number
  readonly feeMinor: number
  readonly receiptEmail: string | null
}

/** Stores and queues the receipt of a payment, to its receipt address. Runs as counterfoil_reseller, in the transaction that settles it. */
export const queueReceipt = async (db: Db, attempt: PaidAttempt, now: Date): Promise<void> => {
  const customer = await db
    .selectFrom('customer')
    .select(['brand_id as brandId', 'currency', 'currency_symbol as currencySymbol'])
    .where('id', '=', attempt.customerId)
    .executeTakeFirstOrThrow()
  const paidInvoices = await db
    .selectFrom('payment_attempt_item as item')
    .innerJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 'item.customer_id').onRef('invoice.id', '=', 'item.invoice_id'))
    .select('invoice.number')
    .where('item.customer_id', '=', attempt.customerId)
    .where('item.attempt_id', '=', attempt.id)
    .orderBy('item.item_no')
    .execute()
  const toText = (minor: number): string => toDecimalText({ minor: BigInt(minor), currency: attempt.currency })
  const facts: ReceiptFacts = {
    amount: toText(attempt.amountMinor),
    fee: attempt.feeMinor > 0 ? toText(attempt.feeMinor) : null,
    currency: attempt.currency,
    symbol: attempt.currency === customer.currency ? customer.currencySymbol : attempt.currency,
    invoices: paidInvoices.map(({ number }) => number),
    reference: paymentReference(attempt.id),
    paidAt: dayOf(now),
  }
  const id = randomUUID()
  await sql`
    insert into mail (id, dedupe_key, kind, recipient, brand_id, queued_at, payment_attempt_id, facts)
    values (${id}, ${`receipt ${attempt.id}`}, 'receipt', ${attempt.receiptEmail}, ${customer.brandId}, ${now}, ${attempt.id}, ${JSON.stringify(facts)})`.execute(
    db,
  )
  await enqueueMail(db, id, 'receipt', now)
}
