import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { dueMinor } from '../../db/constraints/invoice-debt.ts'
import { shownSymbol } from '../../db/shown-symbol.ts'
import type { WaysTotal } from '../../payments/accounts/fees.rules.ts'
import type { CustomerScope } from '../../session/scope.ts'

/**
 * Finds the customer's invoices with these ids, oldest first, payable or not, with the live attempt that is paying each. A missing id gives
 * no row.
 */
export const findInvoicesToPay = (db: Db, scope: CustomerScope, ids: readonly number[]) =>
  db
    .selectFrom('invoice')
    .select([
      'id',
      'number',
      'currency',
      'status',
      'amount_minor as amountMinor',
      dueMinor('invoice').as('dueMinor'),
      sql<string | null>`(select attempt_id from payment_attempt_item i
        where i.customer_id = invoice.customer_id and i.invoice_id = invoice.id and i.live limit 1)`.as('payingAttemptId'),
    ])
    .where(scope.owns('invoice'))
    .where('id', 'in', [...ids])
    .orderBy('issued_on')
    .orderBy('id')
    .execute()

/** Lists the customer's unsettled adjustments (amounts due outside invoices) that no live attempt is paying, in every currency. */
export const listDueAdjustments = (db: Db, scope: CustomerScope) =>
  db
    .selectFrom('payment_adjustment as adjustment')
    .innerJoin('customer', 'customer.id', 'adjustment.customer_id')
    .select([
      'adjustment.id',
      'adjustment.amount_minor as amountMinor',
      'adjustment.description',
      'adjustment.currency',
      shownSymbol('adjustment').as('symbol'),
    ])
    .where(scope.owns('adjustment'))
    .where('adjustment.settled_at', 'is', null)
    .where(
      sql<boolean>`not exists (select from payment_attempt_item i
        where i.customer_id = adjustment.customer_id and i.adjustment_id = adjustment.id and i.live)`,
    )
    .orderBy('adjustment.id')
    .execute()

interface NewIntent {
  readonly id: string
  readonly sessionId: string
  readonly currency: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** What it comes to, as it is shown. */
  readonly total: WaysTotal
  readonly items: readonly { readonly invoiceId: number | null; readonly adjustmentId: number | null; readonly amountMinor: number }[]
}

/** Inserts a bulk intent with its items. Nothing is charged. */
export const insertIntent = async (db: Db, { customerId, resellerId }: CustomerScope, intent: NewIntent): Promise<void> => {
  await db
    .insertInto('payment_intent')
    .values({
      customer_id: customerId,
      id: intent.id,
      reseller_id: resellerId,
      session_id: intent.sessionId,
      channel: 'bulk',
      currency: intent.currency,
      created_by: intent.createdBy,
      created_at: intent.createdAt,
      expires_at: intent.expiresAt,
      card_total_minor: intent.total.cardMinor,
      bank_total_minor: intent.total.bankMinor,
    })
    .execute()
  const rows = intent.items.map(({ invoiceId, adjustmentId, amountMinor }, index) => ({
    customer_id: customerId,
    intent_id: intent.id,
    item_no: index + 1,
    invoice_id: invoiceId,
    adjustment_id: adjustmentId,
    amount_minor: amountMinor,
  }))
  await db.insertInto('payment_intent_item').values(rows).execute()
}

/**
 * Finds an intent of this customer, by its id or its session's id, with its reseller's name and provider; undefined without one. Expired
 * ones are found too.
 */
export const findIntentHead = (db: Db, scope: CustomerScope, key: { id: string } | { sessionId: string }) =>
  db
    .selectFrom('payment_intent as intent')
    .innerJoin('customer', 'customer.id', 'intent.customer_id')
    .innerJoin('reseller', 'reseller.id', 'intent.reseller_id')
    .select([
      'intent.id',
      'intent.session_id as sessionId',
      'intent.currency',
      'intent.expires_at as expiresAt',
      'intent.card_total_minor as cardTotalMinor',
      'intent.bank_total_minor as bankTotalMinor',
      shownSymbol('intent').as('symbol'),
      'reseller.legal_name as legalName',
      'reseller.payment_provider as provider',
      'reseller.direct_debit_payment_method_id as debitId',
    ])
    .where(scope.owns('intent'))
    .where('id' in key ? 'intent.id' : 'intent.session_id', '=', 'id' in key ? key.id : key.sessionId)
    .executeTakeFirst()

export type IntentHead = NonNullable<Awaited<ReturnType<typeof findIntentHead>>>

/** The items of an intent in their order, with the amount that was fixed at its creation and what is due now. */
export const listIntentItems = (db: Db, scope: CustomerScope, intentId: string) =>
  db
    .selectFrom('payment_intent_item as item')
    .leftJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 'item.customer_id').onRef('invoice.id', '=', 'item.invoice_id'))
    .leftJoin('payment_adjustment as adjustment', (join) =>
      join.onRef('adjustment.customer_id', '=', 'item.customer_id').onRef('adjustment.id', '=', 'item.adjustment_id'),
    )
    .select([
      'item.amount_minor as amountMinor',
      'invoice.id as invoiceId',
      'invoice.number',
      'invoice.status',
      'invoice.due_on as dueOn',
      dueMinor('invoice').as('dueMinor'),
      sql<boolean>`invoice.pay_token_hash is not null`.as('hasPayLink'),
      'adjustment.description',
      'adjustment.settled_at as settledAt',
    ])
    .where(scope.owns('item'))
    .where('item.intent_id', '=', intentId)
    .orderBy('item.item_no')
    .execute()

export type IntentItem = Awaited<ReturnType<typeof listIntentItems>>[number]

const ATTEMPT_COLUMNS = [
  'id',
  'status',
  'provider_ref as providerRef',
  'intent_id as intentId',
  'amount_minor as amountMinor',
  'fee_line as feeLine',
  'fee_minor as feeMinor',
  'user_message as userMessage',
  'receipt_email as email',
] as const

/** The attempts to pay an intent, newest first, failed ones too; at most 100. */
export const listIntentAttempts = (db: Db, scope: CustomerScope, intentId: string) =>
  db
    .selectFrom('payment_attempt')
    .select(ATTEMPT_COLUMNS)
    .where(scope.owns('payment_attempt'))
    .where('intent_id', '=', intentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()

export type IntentAttempt = Awaited<ReturnType<typeof listIntentAttempts>>[number]

/** Finds an attempt to pay, of this customer alone, by our id or the provider's reference; undefined without one. */
export const findAttempt = (db: Db, scope: CustomerScope, key: { id: string } | { providerRef: string }) =>
  db
    .selectFrom('payment_attempt')
    .select(ATTEMPT_COLUMNS)
    .where(scope.owns('payment_attempt'))
    .where('id' in key ? 'id' : 'provider_ref', '=', 'id' in key ? key.id : key.providerRef)
    .executeTakeFirst()

/** The reseller's fee rules in this currency, the card's first. Whether the provider takes the fees is not looked at. */
export const listFeeRulesIn = (db: Db, { resellerId }: CustomerScope, currency: string) =>
  db
    .selectFrom('payment_fee_rule')
    .select(['line', 'currency', 'fixed_minor as fixedMinor', sql<string>`percent::text`.as('percent')])
    .where('reseller_id', '=', resellerId)
    .where('currency', '=', currency)
    .orderBy('line')
    .execute()

/** Whether the customer's default payment method, at the reseller's present account, is a bank account; false without a default. */
export const isDefaultMethodBank = async (db: Db, scope: CustomerScope): Promise<boolean> =>
  (await db
    .selectFrom('payment_method')
    .innerJoin('payment_account as account', 'account.id', 'payment_method.account_id')
    .innerJoin('reseller', 'reseller.id', 'account.reseller_id')
    .select('payment_method.id')
    .where(scope.owns('payment_method'))
    .where('account.replaced_at', 'is', null)
    .whereRef('account.provider', '=', 'reseller.payment_provider')
    .where('payment_method.removed_at', 'is', null)
    .where('payment_method.is_default', '=', true)
    .where('payment_method.kind', '=', 'bank')
    .executeTakeFirst()) !== undefined

/** Reads the reseller's settings for a form of a new card: billing address, payment type, receipt. */
export const readFormRules = (db: Db, { resellerId }: CustomerScope) =>
  db
    .selectFrom('reseller')
    .select(['payment_billing_address_required as needsAddress', 'payment_type as paymentType', 'payment_email_receipt as hasReceipt'])
    .where('id', '=', resellerId)
    .executeTakeFirstOrThrow()
