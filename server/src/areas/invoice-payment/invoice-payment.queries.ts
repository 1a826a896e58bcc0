import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { balanceMinor } from '../../db/constraints/invoice-debt.ts'
import { shownSymbol } from '../../db/shown-symbol.ts'
import type { LinkedInvoice } from '../../payments/payment-link.queries.ts'

/**
 * What the public page of an invoice shows: invoice, period, brand, and the reseller's payment settings. Runs as its customer. Throws when
 * the invoice is gone.
 */
export const findLinkDetails = (db: Db, { owns, invoiceId }: LinkedInvoice) =>
  db
    .selectFrom('invoice')
    .innerJoin('customer', 'customer.id', 'invoice.customer_id')
    .innerJoin('reseller', 'reseller.id', 'customer.reseller_id')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .leftJoin('payment_account as account', (join) =>
      join
        .onRef('account.reseller_id', '=', 'reseller.id')
        .onRef('account.provider', '=', 'reseller.payment_provider')
        .on('account.replaced_at', 'is', null),
    )
    .leftJoin('billing_period as period', (join) =>
      join.onRef('period.customer_id', '=', 'invoice.customer_id').onRef('period.id', '=', 'invoice.period_id'),
    )
    .select([
      'invoice.number',
      'invoice.currency',
      'invoice.amount_minor as amountMinor',
      balanceMinor('invoice').as('dueMinor'),
      'invoice.issued_on as issuedOn',
      'invoice.due_on as dueOn',
      'invoice.status',
      'period.starts_on as periodStart',
      'period.ends_on as periodEnd',
      shownSymbol('invoice').as('symbol'),
      'brand.id as brandId',
      'brand.name as brandName',
      'reseller.payment_type as paymentType',
      'reseller.payment_provider as provider',
      'reseller.payments_enabled as isEnabled',
      'reseller.invoice_label_plural as invoiceLabelPlural',
      'reseller.publishable_key as publishableKey',
      'reseller.payment_email_receipt as hasReceipt',
      'reseller.payment_cardholder_required as needsHolder',
      'reseller.payment_billing_address_required as needsAddress',
      'reseller.payment_type_disclaimer as disclaimer',
      'reseller.direct_debit_payment_method_id as directDebitMethodId',
      'reseller.hide_payment_types_for_customer_users as hidesPaymentTypes',
      'account.base_url as baseUrl',
    ])
    .where(owns('invoice'))
    .where('invoice.id', '=', invoiceId)
    .executeTakeFirstOrThrow()

export type LinkDetails = Awaited<ReturnType<typeof findLinkDetails>>

/** The reseller's fee rules, in every currency, for cards and for direct debit. */
export const listLinkFeeRules = (db: Db, { resellerId }: LinkedInvoice) =>
  db
    .selectFrom('payment_fee_rule')
    .select(['line', 'currency', 'fixed_minor as fixedMinor', sql<string>`percent::text`.as('percent')])
    .where('reseller_id', '=', resellerId)
    .execute()

/** Reads which sections the brand of the invoice's customer shows. */
export const readLinkSections = (db: Db, { owns }: LinkedInvoice) =>
  db
    .selectFrom('customer')
    .innerJoin('brand', 'brand.id', 'customer.brand_id')
    .select([
      'brand.end_show_dashboard as endShowDashboard',
      'brand.end_show_invoices as endShowInvoices',
      'brand.end_show_usage as endShowUsage',
      'brand.end_show_transactions as endShowTransactions',
      'brand.end_show_reports as endShowReports',
      'brand.end_show_cost_centre as endShowCostCentre',
      'brand.end_show_service_item as endShowServiceItem',
    ])
    .where(owns('customer', 'id'))
    .executeTakeFirstOrThrow()

/** Finds the newest attempt to pay an invoice, by any channel, failed or not; undefined without one. */
export const findLastAttempt = (db: Db, { owns, invoiceId }: LinkedInvoice) =>
  db
    .selectFrom('payment_attempt as attempt')
    .innerJoin('payment_attempt_item as item', (join) =>
      join.onRef('item.customer_id', '=', 'attempt.customer_id').onRef('item.attempt_id', '=', 'attempt.id'),
    )
    .select(['attempt.id', 'attempt.status', 'attempt.created_at as createdAt', 'attempt.user_message as userMessage'])
    .where(owns('attempt'))
    .where('item.invoice_id', '=', invoiceId)
    .orderBy('attempt.created_at', 'desc')
    .orderBy('attempt.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Inserts the intent, with one item, of a payment of one invoice: by link, or of a signed-in user's with a stored method. Nothing is
 * charged.
 */
export const insertLinkIntent = async (
  db: Db,
  { customerId, resellerId, invoiceId }: LinkedInvoice,
  intent: {
    id: string
    sessionId: string
    /** The signed-in user; null for whoever has the link. */
    createdBy: string | null
    currency: string
    amountMinor: number
    entryReference: string | null
    createdAt: Date
    expiresAt: Date
  },
): Promise<void> => {
  await db
    .insertInto('payment_intent')
    .values({
      customer_id: customerId,
      id: intent.id,
      reseller_id: resellerId,
      session_id: intent.sessionId,
      channel: intent.createdBy === null ? 'link' : 'invoice',
      currency: intent.currency,
      created_by: intent.createdBy,
      created_at: intent.createdAt,
      expires_at: intent.expiresAt,
      entry_reference: intent.entryReference,
    })
    .execute()
  await db
    .insertInto('payment_intent_item')
    .values({
      customer_id: customerId,
      intent_id: intent.id,
      item_no: 1,
      invoice_id: invoiceId,
      adjustment_id: null,
      amount_minor: intent.amountMinor,
    })
    .execute()
}

/**
 * Counts how many of a reseller's payments through links were sent to the provider since then, and how many of those were declined: of the
 * newest `max` alone.
 */
export const countLinkOutcomes = async (
  db: Db,
  { resellerId, provider }: { readonly resellerId: number; readonly provider: string },
  { since, max }: { readonly since: Date; readonly max: number },
): Promise<{ sent: number; declined: number }> =>
  db
    .selectFrom((query) =>
      query
        .selectFrom('payment_attempt as attempt')
        .innerJoin('payment_intent as intent', (join) =>
          join.onRef('intent.customer_id', '=', 'attempt.customer_id').onRef('intent.id', '=', 'attempt.intent_id'),
        )
        .select('attempt.status')
        .where('attempt.reseller_id', '=', resellerId)
        .where('attempt.provider', '=', provider)
        .where('attempt.sent_at', '>', since)
        .where('intent.channel', '=', 'link')
        .orderBy('attempt.sent_at', 'desc')
        .limit(max)
        .as('latest'),
    )
    .select([sql<number>`count(*)::int`.as('sent'), sql<number>`(count(*) filter (where status = 'declined'))::int`.as('declined')])
    .executeTakeFirstOrThrow()

/**
 * Finds the intent that was stored for this invoice when the provider's own card fields were started, by the reference that the provider
 * gave; undefined without one.
 */
export const findStartedIntent = async (
  db: Db,
  { owns, invoiceId }: LinkedInvoice,
  entryReference: string,
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('payment_intent as intent')
    .innerJoin('payment_intent_item as item', (join) =>
      join.onRef('item.customer_id', '=', 'intent.customer_id').onRef('item.intent_id', '=', 'intent.id'),
    )
    .select('intent.id')
    .where(owns('intent'))
    .where('intent.channel', '=', 'link')
    .where('intent.entry_reference', '=', entryReference)
    .where('item.invoice_id', '=', invoiceId)
    .executeTakeFirst()
