import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { debtFault } from '../../db/constraints/invoice-debt.ts'
import { mintScope, type CustomerScope } from '../../session/scope.ts'
import type { AttemptStatus } from './attempt.ts'
import type { Transition } from './transition.rules.ts'
import type { Decline } from '../providers/decline.ts'

/** Identifies one attempt. */
export interface AttemptKey extends CustomerScope {
  readonly id: string
}

/** Where a result came from. */
export type ResultSource = 'answer' | 'return' | 'webhook' | 'sweep' | 'operator'

const ATTEMPT_COLUMNS = [
  'id',
  'merchant_reference as merchantReference',
  'customer_id as customerId',
  'reseller_id as resellerId',
  'intent_id as intentId',
  'provider',
  'account_id as accountId',
  'is_debit as isDebit',
  'method_type as methodType',
  'method_shown as methodShown',
  'currency',
  'amount_minor as amountMinor',
  'fee_line as feeLine',
  'fee_minor as feeMinor',
  'refunded_minor as refundedMinor',
  'reversed_minor as reversedMinor',
  'refund_sent_minor as refundSentMinor',
  'refund_sent_total_minor as refundSentTotalMinor',
  'status',
  'provider_ref as providerRef',
  'redirect_url as redirectUrl',
  'decline_reason as declineReason',
  'user_message as userMessage',
  'receipt_email as receiptEmail',
  'created_at as createdAt',
  'sent_at as sentAt',
  'checks',
  'not_started_checks as notStartedChecks',
  'next_check_at as nextCheckAt',
  'cancel_requested_at as cancelRequestedAt',
  'version',
] as const

/** Whether an attempt was ever recorded as paid; what went back since changes nothing of that. */
const isBooked = sql<boolean>`exists (select from payment_allocation booked
  where booked.customer_id = payment_attempt.customer_id and booked.attempt_id = payment_attempt.id)`.as('isBooked')

/** An attempt with its customer's scope, and whether it was ever recorded as paid; undefined without one. Runs as counterfoil_reseller. */
export const findAttempt = async (db: Db, { owns, id }: AttemptKey) => {
  const row = await db
    .selectFrom('payment_attempt')
    .select([...ATTEMPT_COLUMNS, isBooked])
    .where(owns('payment_attempt'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : mintScope({ ...row, status: row.status as AttemptStatus })
}

export type Attempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>

/**
 * Locks an attempt until the transaction ends, and then reads it: whoever held the lock before may have booked it.
 * @throws Error when it does not exist
 */
export const lockAttempt = async (db: Db, key: AttemptKey): Promise<Attempt> => {
  await sql`select from payment_attempt where ${key.owns('payment_attempt')} and id = ${key.id} for update`.execute(db)
  const attempt = await findAttempt(db, key)
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}

/**
 * Writes a transition of an attempt, and a history entry when the status changes. The caller holds the lock; ledger and invoices are not
 * touched.
 */
export const writeTransition = async (
  db: Db,
  attempt: Attempt,
  transition: Transition,
  cause: {
    learnedFrom: ResultSource
    providerRef: string | null
    redirectUrl: string | null
    declined: Decline | null
    userMessage: string | null
    now: Date
  },
): Promise<void> => {
  const { learnedFrom, providerRef, redirectUrl, declined, userMessage, now } = cause
  const isResolved = transition.nextCheckAt === null
  await db
    .updateTable('payment_attempt')
    .set({
      status: transition.status,
      refunded_minor: transition.refundedMinor,
      reversed_minor: transition.reversedMinor,
      checks: transition.checks,
      not_started_checks: transition.notStartedChecks,
      next_check_at: transition.nextCheckAt,
      lease_until: null,
      redirect_url: redirectUrl,
      ...(providerRef === null ? {} : { provider_ref: providerRef }),
      user_message: userMessage,
      ...(declined === null ? {} : { decline_reason: declined.reason, provider_code: declined.providerCode }),
      ...(isResolved ? { resolved_at: now, resolved_by: learnedFrom } : {}),
      version: sql`version + 1`,
    })
    .where(attempt.owns('payment_attempt'))
    .where('id', '=', attempt.id)
    .execute()
  if (transition.status !== attempt.status)
    await insertAttemptEvent(db, attempt, { from: attempt.status, to: transition.status, learnedFrom, note: transition.note, now })
}

/** Adds an entry to the history of an attempt. */
export const insertAttemptEvent = async (
  db: Db,
  { owns, customerId, id }: AttemptKey,
  event: { from: AttemptStatus | null; to: AttemptStatus; learnedFrom: ResultSource; note: string | null; now: Date },
): Promise<void> => {
  await sql`
    insert into payment_attempt_event (customer_id, attempt_id, entry_no, from_status, to_status, source, note, at)
    select ${customerId}, ${id}, coalesce(max(entry_no), 0) + 1, ${event.from}, ${event.to}, ${event.learnedFrom}, ${event.note}, ${event.now}
    from payment_attempt_event where ${owns('payment_attempt_event')} and attempt_id = ${id}`.execute(db)
}

/** Marks the items of an attempt as live, so that no other attempt can claim them, or releases them. */
export const setLive = async (db: Db, { owns, id }: Attempt, live: boolean): Promise<void> => {
  await db.updateTable('payment_attempt_item').set({ live }).where(owns('payment_attempt_item')).where('attempt_id', '=', id).execute()
}

/** The items that an attempt pays, in order, with the ids that the billing engine knows them by. */
export const listItems = (db: Db, { owns, id }: Attempt) =>
  db
    .selectFrom('payment_attempt_item as item')
    .leftJoin('invoice', (join) => join.onRef('invoice.customer_id', '=', 'item.customer_id').onRef('invoice.id', '=', 'item.invoice_id'))
    .leftJoin('payment_adjustment as adjustment', (join) =>
      join.onRef('adjustment.customer_id', '=', 'item.customer_id').onRef('adjustment.id', '=', 'item.adjustment_id'),
    )
    .select([
      'item.invoice_id as invoiceId',
      'invoice.number as invoiceNumber',
      'invoice.external_id as invoiceExternalId',
      'item.adjustment_id as adjustmentId',
      'adjustment.external_id as adjustmentExternalId',
      'item.amount_minor as amountMinor',
    ])
    .where(owns('item'))
    .where('item.attempt_id', '=', id)
    .orderBy('item.item_no')
    .execute()

/** The id by which the billing engine knows a customer; null when it gave none. */
export const findCustomerExternalId = async (db: Db, customerId: number): Promise<string | null> =>
  (await db.selectFrom('customer').select('external_id').where('id', '=', customerId).executeTakeFirst())?.external_id ?? null

export type AttemptItem = Awaited<ReturnType<typeof listItems>>[number]

/**
 * Marks the invoices of a pending debit as in collection, or as open again. One whose stored debt cannot be, from before imports were
 * checked for it, stays as it is: the payment matters more than the mark.
 */
export const setInCollection = async (db: Db, { owns, id }: Attempt, isInCollection: boolean): Promise<void> => {
  const [from, to] = isInCollection
    ? [INVOICE_STATUS.open, INVOICE_STATUS.inCollection]
    : [INVOICE_STATUS.inCollection, INVOICE_STATUS.open]
  await sql`
    update invoice set status = ${to} where ${owns('invoice')} and status = ${from} and id in
    (select invoice_id from payment_attempt_item where ${owns('payment_attempt_item')} and attempt_id = ${id})
      and ${debtFault({ status: sql`${to}`, amount: sql`amount_minor`, due: sql`amount_due_minor` })} is null`.execute(db)
}

/**
 * Queues an event for the billing engine in the caller's transaction, once per dedupe key.
 * @returns whether it is new
 */
export const insertOutboxEvent = async (
  db: Db,
  { customerId, resellerId }: Attempt,
  event: { dedupeKey: string; kind: string; payload: Readonly<Record<string, unknown>>; now: Date },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into payment_outbox (reseller_id, customer_id, dedupe_key, kind, payload, created_at)
    values (${resellerId}, ${customerId}, ${event.dedupeKey}, ${event.kind}, ${JSON.stringify(event.payload)}, ${event.now})
    on conflict (dedupe_key) do nothing`.execute(db)
  return numAffectedRows === 1n
}
