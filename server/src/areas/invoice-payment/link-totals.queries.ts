import type { Db } from '../../db/database.ts'
import type { WaysTotal } from '../../payments/engine/fees.rules.ts'
import type { LinkedInvoice } from '../../payments/payment-link.queries.ts'

/** What the page of a payment link has shown: what is due, and what it comes to by each way to pay. */
export interface LinkTotal extends WaysTotal {
  readonly dueMinor: number
}

/** What the page of a link has shown since then. Runs as its customer. */
export const listLinkTotals = (db: Db, { customerId, invoiceId }: LinkedInvoice, since: Date) =>
  db
    .selectFrom('payment_link_total')
    .select([
      'due_minor as dueMinor',
      'card_total_minor as cardMinor',
      'bank_total_minor as bankMinor',
      'shown_at as shownAt',
      'rejected_at as rejectedAt',
    ])
    .where('customer_id', '=', customerId)
    .where('invoice_id', '=', invoiceId)
    .where('shown_at', '>', since)
    .execute()

/** Notes that a payment was refused because these amounts had been shown. */
export const markTotalsRejected = async (db: Db, { customerId, invoiceId }: LinkedInvoice, dueMinor: number, now: Date): Promise<void> => {
  await db
    .updateTable('payment_link_total')
    .set({ rejected_at: now })
    .where('customer_id', '=', customerId)
    .where('invoice_id', '=', invoiceId)
    .where('due_minor', '=', dueMinor)
    .execute()
}

/** Notes what is shown now, and forgets what a payment was refused for and what was shown before then. */
export const upsertLinkTotal = async (
  db: Db,
  { customerId, invoiceId }: LinkedInvoice,
  { dueMinor, cardMinor, bankMinor }: LinkTotal,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<void> => {
  await db
    .deleteFrom('payment_link_total')
    .where('customer_id', '=', customerId)
    .where('invoice_id', '=', invoiceId)
    .where((where) => where.or([where('rejected_at', 'is not', null), where('shown_at', '<=', since)]))
    .execute()
  await db
    .insertInto('payment_link_total')
    .values({
      customer_id: customerId,
      invoice_id: invoiceId,
      due_minor: dueMinor,
      card_total_minor: cardMinor,
      bank_total_minor: bankMinor,
      shown_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_id', 'invoice_id', 'due_minor', 'card_total_minor', 'bank_total_minor'])
        .doUpdateSet({ shown_at: now, rejected_at: null }),
    )
    .execute()
}
