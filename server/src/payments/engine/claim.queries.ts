import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { AttemptKey } from '../attempts/attempt.queries.ts'
import type { AttemptStatus } from '../attempts/attempt.ts'
import type { FeeRule } from '../accounts/fees.rules.ts'
import type { MethodSummary } from '../providers/method.ts'
import type { Submission } from '../attempts/submission.ts'
import { isAttemptChanged } from './sweep.queries.ts'

/** The intent of the customer with this id, also an expired or paid one; undefined without one. Runs as counterfoil_reseller. */
export const findIntent = (db: Db, { owns }: CustomerScope, intentId: string) =>
  db
    .selectFrom('payment_intent')
    .select(['id', 'channel', 'currency', 'expires_at as expiresAt', 'entry_reference as entryReference'])
    .where(owns('payment_intent'))
    .where('id', '=', intentId)
    .executeTakeFirst()

/**
 * What allows a charge, as it stands now. Locked, so that whoever takes it back is answered before the claim or after it: the reseller's
 * settings always, the customer's consent where no payer is present.
 */
export const lockChargeTerms = async (
  db: Db,
  { owns, resellerId }: CustomerScope,
  { isPayerAbsent }: { readonly isPayerAbsent: boolean },
): Promise<{ accountId: number | null; isEnabled: boolean; isAllowed: boolean } | undefined> => {
  const { rows } = await sql<{ accountId: number | null; isEnabled: boolean; isAllowed: boolean }>`
    select a.id as "accountId", r.payments_enabled as "isEnabled",
      c.allow_reseller_charge or not coalesce(r.customer_permission_for_charging, true) as "isAllowed"
    from customer c join reseller r on r.id = c.reseller_id
      left join payment_account a on a.reseller_id = r.id and a.provider = r.payment_provider and a.replaced_at is null
    where ${owns('c', 'id')} and r.id = ${resellerId} for share of ${isPayerAbsent ? sql`r, c` : sql`r`}`.execute(db)
  return rows[0]
}

/** A stored method of the customer at this account, locked until the transaction ends; undefined when it was removed. */
export const lockMethod = (db: Db, { owns }: CustomerScope, accountId: number, methodId: string) =>
  db
    .selectFrom('payment_method')
    .select(['status', 'is_default as isDefault'])
    .where(owns('payment_method'))
    .where('id', '=', methodId)
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()

/** Locks the items of an intent and compares them with what is due now. Locks in the order of ids, so that two claims never deadlock. */
export const lockIntentItems = async (db: Db, { owns }: CustomerScope, intentId: string) => {
  const { rows: invoices } = await sql<ClaimItem>`
    select i.item_no as "itemNo", i.invoice_id as "invoiceId", null as "adjustmentId", i.amount_minor as "amountMinor", v.number,
      v.amount_due_minor = i.amount_minor and v.status = ${INVOICE_STATUS.open} as "isUnchanged", v.status = ${INVOICE_STATUS.paid} as "isPaid"
    from payment_intent_item i join invoice v on v.customer_id = i.customer_id and v.id = i.invoice_id
    where ${owns('i')} and i.intent_id = ${intentId} order by v.id for update of v`.execute(db)
  const { rows: adjustments } = await sql<ClaimItem>`
    select i.item_no as "itemNo", null as "invoiceId", i.adjustment_id as "adjustmentId", i.amount_minor as "amountMinor", '' as number,
      a.amount_minor = i.amount_minor and a.settled_at is null as "isUnchanged", a.settled_at is not null as "isPaid"
    from payment_intent_item i join payment_adjustment a on a.customer_id = i.customer_id and a.id = i.adjustment_id
    where ${owns('i')} and i.intent_id = ${intentId} order by a.id for update of a`.execute(db)
  return [...invoices, ...adjustments].toSorted((one, other) => one.itemNo - other.itemNo)
}

export interface ClaimItem {
  readonly itemNo: number
  readonly invoiceId: number | null
  readonly adjustmentId: number | null
  readonly amountMinor: number
  readonly number: string
  /** Whether it is still open with the amount that was shown. */
  readonly isUnchanged: boolean
  readonly isPaid: boolean
}

/** The id of the live attempt that already claims one of these items; undefined where they are free. */
export const findLiveAttempt = async (db: Db, { owns }: CustomerScope, items: readonly ClaimItem[]): Promise<string | undefined> => {
  const invoices = items.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]))
  const adjustments = items.flatMap(({ adjustmentId }) => (adjustmentId === null ? [] : [adjustmentId]))
  const { rows } = await sql<{ id: string }>`
    select attempt_id as id from payment_attempt_item where ${owns('payment_attempt_item')} and live
    and (invoice_id = any(${invoices}::bigint[]) or adjustment_id = any(${adjustments}::bigint[])) limit 1`.execute(db)
  return rows[0]?.id
}

/** No money has moved, and none will unless the payer confirms. */
const UNPAID_STATUSES: readonly AttemptStatus[] = ['requires_action', 'declined', 'not_sent', 'expired']

/**
 * The condition for attempts of this submit key. An unpaid attempt matches only with the same card or account: with another one, the payer
 * asks for a new payment (docs/decisions/0059).
 */
const matchesSubmission = ({ key, methodFingerprint }: { key: Buffer | null; methodFingerprint: Buffer | null }): RawBuilder<boolean> =>
  sql`(submit_key = ${key} and not (status = any(${UNPAID_STATUSES}) and method_fingerprint is distinct from ${methodFingerprint}))`

/** The id of the attempt of this submission, else of one that has paid the intent; undefined without either. */
export const findEarlierAttempt = async (
  db: Db,
  { owns }: CustomerScope,
  { intentId, submission }: { intentId: string; submission: Submission | null },
): Promise<string | undefined> => {
  const isSameSubmission = matchesSubmission(submission ?? { key: null, methodFingerprint: null })
  const { rows } = await sql<{ id: string }>`
    select id from payment_attempt where ${owns('payment_attempt')}
    and (${isSameSubmission} or (intent_id = ${intentId} and status in ('succeeded', 'refunded', 'reversed')))
    order by ${isSameSubmission} desc nulls last limit 1`.execute(db)
  return rows[0]?.id
}

/** The id of the attempt of this submission; undefined without one, and where an unpaid one was with another card or account. */
export const findAttemptBySubmission = async (db: Db, { owns }: CustomerScope, submission: Submission): Promise<string | undefined> =>
  (
    await db
      .selectFrom('payment_attempt')
      .select('id')
      .where(owns('payment_attempt'))
      .where(matchesSubmission(submission))
      .executeTakeFirst()
  )?.id

/** Removes the submit key from an unpaid attempt, so that a new one can use it. */
export const releaseSubmitKey = async (db: Db, { owns }: CustomerScope, { key }: Submission): Promise<void> => {
  await db
    .updateTable('payment_attempt')
    .set({ submit_key: null })
    .where(owns('payment_attempt'))
    .where('submit_key', '=', key)
    .where('status', 'in', UNPAID_STATUSES)
    .execute()
}

/** All fee rules of a reseller, also those of lines that its provider may not add. */
export const listFeeRules = (db: Db, resellerId: number): Promise<FeeRule[]> =>
  db
    .selectFrom('payment_fee_rule')
    .select(['line', 'currency', 'fixed_minor as fixedMinor', sql<string>`percent::text`.as('percent')])
    .where('reseller_id', '=', resellerId)
    .execute()

export interface NewAttempt {
  readonly id: string
  readonly merchantReference: string
  readonly customerId: number
  readonly resellerId: number
  readonly intentId: string
  readonly provider: string
  readonly accountId: number
  readonly submission: Submission | null
  readonly isDebit: boolean
  readonly methodId: string | null
  readonly methodType: string
  readonly currency: string
  readonly amountMinor: number
  readonly fee: { readonly line: 'CREDIT_CARD_FEE' | 'DIRECT_DEBIT_FEE'; readonly minor: number } | null
  readonly receiptEmail: string | null
}

/**
 * Inserts an attempt with its items, which claims them. An account whose credentials were deleted meanwhile takes none: what was sent with
 * them could not be looked up.
 * @throws the database’s unique violation when an item was claimed or the key used meanwhile
 */
export const insertAttempt = async (
  db: Db,
  attempt: NewAttempt,
  items: readonly ClaimItem[],
  now: Date,
  nextCheckAt: Date,
): Promise<void> => {
  const { id, customerId, fee } = attempt
  await db
    .insertInto('payment_attempt')
    .values({
      customer_id: customerId,
      id,
      merchant_reference: attempt.merchantReference,
      reseller_id: attempt.resellerId,
      intent_id: attempt.intentId,
      provider: attempt.provider,
      account_id: sql<number>`(select id from payment_account where id = ${attempt.accountId} and sealed is not null for key share)`,
      submit_key: attempt.submission?.key ?? null,
      method_fingerprint: attempt.submission?.methodFingerprint ?? null,
      is_debit: attempt.isDebit,
      method_id: attempt.methodId,
      method_type: attempt.methodType,
      currency: attempt.currency,
      amount_minor: attempt.amountMinor,
      fee_line: fee?.line ?? null,
      fee_minor: fee?.minor ?? 0,
      receipt_email: attempt.receiptEmail,
      created_at: now,
      next_check_at: nextCheckAt,
    })
    .execute()
  const rows = items.map(({ invoiceId, adjustmentId, amountMinor }, index) => ({
    customer_id: customerId,
    attempt_id: id,
    item_no: index + 1,
    invoice_id: invoiceId,
    adjustment_id: adjustmentId,
    amount_minor: amountMinor,
  }))
  await db.insertInto('payment_attempt_item').values(rows).execute()
}

/**
 * Marks the attempt as submitting: from here on money may move.
 * @returns false when it was settled meanwhile
 */
export const markSubmitting = async (db: Db, { owns, id }: AttemptKey, now: Date, nextCheckAt: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('payment_attempt')
    .set({ status: 'submitting', sent_at: now, next_check_at: nextCheckAt, version: sql`version + 1` })
    .where(owns('payment_attempt'))
    .where('id', '=', id)
    .where('status', '=', 'created')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether an attempt was begun without its payer and the customer does not allow that any more. */
const isConsentWithdrawn = sql<boolean>`exists (select from payment_intent n join customer c on c.id = n.customer_id join reseller r on r.id = c.reseller_id
  where n.customer_id = payment_attempt.customer_id and n.id = payment_attempt.intent_id and n.channel = 'autopay'
    and not c.allow_reseller_charge and coalesce(r.customer_permission_for_charging, true))`

/**
 * Why a prepared charge may not be sent: `settled`: somebody ended the attempt; `changed`: what it pays; `withdrawn`: the consent that it
 * needs; `late`: its look-up is due.
 */
export type NotSentCause = 'settled' | 'changed' | 'withdrawn' | 'late'

/**
 * Passes the fence, the last check before money moves: of what is due, the customer's consent and the deadline. Stores the provider's
 * reference and the method's summary, and raises the attempt's version, so that the result of a look-up that began before is outdated.
 * @returns null when the charge may be sent, else why not; `settled` when the attempt was settled meanwhile, and nothing was stored
 */
export const passFence = async (
  db: Db,
  { owns, id }: AttemptKey,
  { providerRef, method }: { readonly providerRef: string | null; readonly method: MethodSummary | null },
  now: Date,
): Promise<NotSentCause | null> => {
  const row = await db
    .updateTable('payment_attempt')
    .set({
      method_shown: method === null ? null : JSON.stringify(method),
      ...(providerRef === null ? {} : { provider_ref: providerRef }),
      version: sql`version + 1`,
    })
    .where(owns('payment_attempt'))
    .where('id', '=', id)
    .where('status', '=', 'submitting')
    .returning([
      sql<boolean>`(cancel_requested_at is not null or ${isAttemptChanged})`.as('isChanged'),
      'next_check_at as nextCheckAt',
      isConsentWithdrawn.as('isConsentWithdrawn'),
    ])
    .executeTakeFirst()
  if (row === undefined) return 'settled'
  if (row.isChanged) return 'changed'
  if (row.isConsentWithdrawn) return 'withdrawn'
  return row.nextCheckAt !== null && row.nextCheckAt > now ? null : 'late'
}

/** Stores what the answer to a charge told of its card, while the attempt is being submitted. */
export const saveMethodSummary = async (db: Db, { owns, id }: AttemptKey, method: MethodSummary): Promise<void> => {
  await db
    .updateTable('payment_attempt')
    .set({ method_shown: JSON.stringify(method) })
    .where(owns('payment_attempt'))
    .where('id', '=', id)
    .where('status', '=', 'submitting')
    .execute()
}
