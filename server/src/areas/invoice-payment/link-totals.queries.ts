import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { WaysTotal } from '../../payments/accounts/fees.rules.ts'
import type { LinkedInvoice } from '../../payments/payment-link.queries.ts'

/** What the page of a payment link has shown: what is due, and what it comes to by each way to pay. */
export interface LinkTotal extends WaysTotal {
  readonly dueMinor: number
}

/** Lists the totals that the page of a link has shown after `since`, the latest first. Runs as the link's customer. */
export const listLinkTotals = (db: Db, { owns, invoiceId }: LinkedInvoice, since: Date) =>
  db
    .selectFrom('payment_link_total')
    .select(['due_minor as dueMinor', 'card_total_minor as cardMinor', 'bank_total_minor as bankMinor', 'shown_at as shownAt'])
    .where(owns('payment_link_total'))
    .where('invoice_id', '=', invoiceId)
    .where('shown_at', '>', since)
    .orderBy('shown_at', 'desc')
    .execute()

/** Stores, on the total that a link's page has shown, that a payment was refused because of it. */
export const markTotalRejected = async (
  db: Db,
  { owns, invoiceId }: LinkedInvoice,
  { dueMinor, cardMinor, bankMinor }: LinkTotal,
  now: Date,
): Promise<void> => {
  await db
    .updateTable('payment_link_total')
    .set({ rejected_at: now })
    .where(owns('payment_link_total'))
    .where('invoice_id', '=', invoiceId)
    .where('due_minor', '=', dueMinor)
    .where('card_total_minor', '=', cardMinor)
    .where('bank_total_minor', '=', bankMinor)
    .execute()
}

/**
 * Counts one page less of the link's total for which a payment was refused, and takes the refusal back: whoever was refused has read the
 * link again.
 */
export const forgetRejectedPage = async (db: Db, { owns, invoiceId }: LinkedInvoice): Promise<void> => {
  await db
    .updateTable('payment_link_total')
    .set({ pages: sql`pages - 1`, rejected_at: null })
    .where(owns('payment_link_total'))
    .where('invoice_id', '=', invoiceId)
    .where('rejected_at', 'is not', null)
    .execute()
}

/**
 * Stores that a page shows this total now, and counts the page unless `isCounted` says that it was counted before. First deletes the
 * invoice's totals of which no page is left, and those that were shown last at `since` or earlier.
 */
export const recordShownTotal = async (
  db: Db,
  { owns, customerId, invoiceId }: LinkedInvoice,
  { dueMinor, cardMinor, bankMinor }: LinkTotal,
  { now, since, isCounted }: { readonly now: Date; readonly since: Date; readonly isCounted: boolean },
): Promise<void> => {
  await db
    .deleteFrom('payment_link_total')
    .where(owns('payment_link_total'))
    .where('invoice_id', '=', invoiceId)
    .where((where) => where.or([where('pages', '<=', 0), where('shown_at', '<=', since)]))
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
        .doUpdateSet({ shown_at: now, pages: isCounted ? sql`payment_link_total.pages` : sql`payment_link_total.pages + 1` }),
    )
    .execute()
}
