import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { Db } from '../../db/database.ts'
import { queueReceipt } from '../../mail/receipts.queries.ts'
import { queueReviewMail } from '../../mail/review-mail.queries.ts'
import { type AttemptStatus, hasPaid, isLive } from '../attempts/attempt.ts'
import { endMessageOf } from '../attempts/end-message.ts'
import { toReturnedTotals, toSteps, type Transition, transitionFor } from '../attempts/transition.rules.ts'
import { findProviderFor, transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import { sealRedirect } from './sealed-redirect.ts'
import {
  type Attempt,
  type AttemptItem,
  type AttemptKey,
  findCustomerExternalId,
  insertOutboxEvent,
  listItems,
  lockAttempt,
  setInCollection,
  setLive,
  type ResultSource,
  writeTransition,
} from '../attempts/attempt.queries.ts'
import { requestCancelOfChanged } from './sweep.queries.ts'
import { recordPayment, recordReturn } from '../ledger/ledger.ts'
import { sumOverpaid } from '../ledger/ledger.queries.ts'

/** An attempt has changed since it was read, so that what the provider said of it then is outdated. */
class OutdatedResult extends Error {}

/**
 * Commits a provider’s result of an attempt: status, ledger, invoices, receipt and outbox event in one short transaction. A repeated result
 * changes nothing.
 * @returns the attempt as it stands
 */
export const settleAttempt = (deps: PaymentsDeps, key: AttemptKey, result: ChargeResult, learnedFrom: ResultSource): Promise<Attempt> =>
  settleAndNotify(deps, key, result, originOf(deps, learnedFrom))

/**
 * Settles an attempt, as `settleAttempt`, by what the provider said of it after it was read.
 * @returns the attempt as it stands; null when it has changed since it was read, and nothing was written
 */
export const settleIfUnchanged = async (
  deps: PaymentsDeps,
  attempt: Attempt,
  result: ChargeResult,
  learnedFrom: ResultSource,
): Promise<Attempt | null> => {
  try {
    return await settleAndNotify(deps, attempt, result, { ...originOf(deps, learnedFrom), version: attempt.version })
  } catch (error) {
    if (error instanceof OutdatedResult) return null
    throw error
  }
}

/** Where a result came from and when, and whom to mail when the attempt needs an operator. */
const originOf = (deps: PaymentsDeps, learnedFrom: ResultSource): ResultOrigin => {
  const { operatorEmail } = deps.config
  const whereToLook = (provider: string): string => findProviderFor(deps, provider)?.reviewText ?? ''
  return { learnedFrom, now: deps.clock(), ...(operatorEmail === null ? {} : { operator: { email: operatorEmail, whereToLook } }) }
}

/**
 * Settles an attempt in a transaction of its own, and tells the log and the mail queue what needs them. A reference of the provider that
 * belongs to another payment makes the outcome unknown.
 */
const settleAndNotify = async (deps: PaymentsDeps, key: AttemptKey, result: ChargeResult, origin: ResultOrigin): Promise<Attempt> => {
  const settle = (of: ChargeResult): Promise<Attempt> =>
    transactAsReseller(deps, key.resellerId, (db) => settleAttemptInTransaction(db, key, sealRedirect(deps.keys, key.id, of), origin))
  const settled = await settle(result).catch((error: unknown) => {
    if (!isReferenceTaken(error)) throw error
    return settle({ state: 'unknown', detail: 'the provider answered with the reference of another payment' })
  })
  if (settled.status === 'manual')
    deps.log.error({ attemptId: settled.id, provider: settled.provider }, 'a payment needs an operator: its outcome is unknown')
  if (settled.status === 'manual' || (settled.isBooked && settled.receiptEmail !== null)) deps.onMailQueued()
  return settled
}

/** Whether a database error says that the provider's reference belongs to another attempt of the reseller already. */
export const isReferenceTaken = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === 'payment_attempt_provider_ref'

/** Where a result came from, and when. */
interface ResultOrigin {
  readonly learnedFrom: ResultSource
  readonly now: Date
  /** The history entry’s note, where the result is not the provider’s. */
  readonly note?: string
  /** The version of the attempt of which the provider was asked, where it was asked of one that may have changed since. */
  readonly version?: number
  /** Whom to mail when the attempt needs an operator; absent where nobody is to be. */
  readonly operator?: { readonly email: string; readonly whereToLook: (provider: string) => string }
}

/**
 * Settles an attempt by a provider’s result inside the caller's transaction. Mails and events are queued in it; no worker is woken.
 * @throws OutdatedResult when the attempt has another version than `origin` names
 */
export const settleAttemptInTransaction = async (db: Db, key: AttemptKey, result: ChargeResult, origin: ResultOrigin): Promise<Attempt> => {
  let attempt = await lockAttempt(db, key)
  if (origin.version !== undefined && origin.version !== attempt.version) throw new OutdatedResult()
  for (const step of toSteps(attempt, result)) {
    await applyResult(db, attempt, step, origin)
    attempt = await lockAttempt(db, key)
  }
  return attempt
}

/**
 * Writes one step of a result: the transition, the claim, the invoices, and the outbox event; and queues a mail to the operator when the
 * attempt begins to need one.
 */
const applyResult = async (
  db: Db,
  attempt: Attempt,
  result: ChargeResult,
  { learnedFrom, now, note, operator }: ResultOrigin,
): Promise<void> => {
  const origin = transitionFor(attempt, result, now, learnedFrom === 'sweep' || learnedFrom === 'answer')
  const transition = note === undefined ? origin : { ...origin, note }
  const providerRef = 'providerRef' in result ? result.providerRef : null
  const redirectUrl =
    transition.status !== 'requires_action' ? null : result.state === 'requires_action' ? result.redirectUrl : attempt.redirectUrl
  const isDeclined = transition.status === 'declined' || (transition.status === 'not_sent' && isLive(attempt.status))
  const declined = result.state === 'declined' && isDeclined ? result : null
  const userMessage = transition.status === attempt.status ? attempt.userMessage : endMessageOf(attempt, transition.status, result)
  await writeTransition(db, attempt, transition, { learnedFrom, providerRef, redirectUrl, declined, userMessage, now })
  if (isLive(attempt.status) && !isLive(transition.status)) await setLive(db, attempt, false)
  const items = await listItems(db, attempt)
  await updateInvoices(db, attempt, items, transition, now)
  const reason = { code: declined?.reason ?? transition.status, message: userMessage }
  const isAnnounced = await announceTransition(db, attempt, items, { ...transition, reason }, now)
  if (isAnnounced && transition.status === 'manual' && operator !== undefined)
    await queueReviewMail(db, attempt, { recipient: operator.email, whereToLook: operator.whereToLook(attempt.provider), now })
}

/**
 * Writes what a transition changes for the invoices: the mark of collection, the payment or its returns in the ledger, and the receipt's
 * mail. The customer's attempts whose items changed are marked to be canceled.
 */
const updateInvoices = async (
  db: Db,
  attempt: Attempt,
  items: readonly AttemptItem[],
  transition: Transition,
  now: Date,
): Promise<void> => {
  if (attempt.isDebit && transition.status === 'processing') await setInCollection(db, attempt, true)
  if (attempt.isDebit && !isLive(transition.status) && isLive(attempt.status)) await setInCollection(db, attempt, false)
  if (attempt.isBooked) await recordReturns(db, attempt, items, transition, now)
  else if (transition.status === 'succeeded') {
    await recordPayment(db, attempt, items, now)
    if (attempt.receiptEmail !== null) await queueReceipt(db, attempt, now)
  }
  if (hasPaid(transition.status) || transition.status === 'requires_action') await requestCancelOfChanged(db, now, attempt.customerId)
}

/** Records in the ledger what went back, or came again, since the attempt was read. */
const recordReturns = async (db: Db, attempt: Attempt, items: readonly AttemptItem[], transition: Transition, now: Date): Promise<void> => {
  const before = toReturnedTotals(attempt, null)
  const changes = [
    { kind: 'refund', amountMinor: transition.refundedMinor - before.refundedMinor, now },
    { kind: 'reversal', amountMinor: transition.reversedMinor - before.reversedMinor, now },
  ] as const
  // What comes again is recorded first: the other change may take it back.
  const ordered = changes.toSorted((one, other) => Math.sign(one.amountMinor) - Math.sign(other.amountMinor))
  for (const change of ordered) await recordReturn(db, attempt, items, change)
}

/** The event kind for each status that an attempt reaches. */
const EVENT_KINDS: Readonly<Partial<Record<AttemptStatus, string>>> = {
  processing: 'payment.processing',
  succeeded: 'payment.succeeded',
  declined: 'payment.failed',
  not_sent: 'payment.failed',
  expired: 'payment.failed',
  manual: 'payment.needs_review',
  reversed: 'payment.reversed',
  refunded: 'payment.refunded',
}

/**
 * The kind of the event that a transition causes; undefined for none. A payment of which nobody heard before all of it went back has
 * failed: whoever was never told `payment.succeeded` is told nothing of a return.
 */
const eventKindOf = (attempt: Attempt, { status, refundedMinor, reversedMinor }: Transition): string | undefined => {
  if (status === 'reversed' && !attempt.isBooked) return isLive(attempt.status) ? 'payment.failed' : undefined
  const hasNewReturns = refundedMinor !== attempt.refundedMinor || reversedMinor !== attempt.reversedMinor
  if (status === attempt.status && !hasNewReturns) return undefined
  return hasNewReturns && status === 'succeeded' && refundedMinor > 0 ? 'payment.refunded' : EVENT_KINDS[status]
}

/** What went back with this event alone, as texts; negative when it came again. */
const toStep = (attempt: Attempt, transition: Transition, amountText: (minor: number) => string): Readonly<Record<string, string>> => ({
  refunded: amountText(transition.refundedMinor - attempt.refundedMinor),
  reversed: amountText(transition.reversedMinor - attempt.reversedMinor),
})

/** Why a payment failed: the reason of a decline, else the status in which it ended, and what its payer was told. */
interface FailureReason {
  readonly code: string
  readonly message: string | null
}

/**
 * Queues the event of a transition for the billing engine.
 * @returns whether the event is new; false too for a transition that causes none
 */
const announceTransition = async (
  db: Db,
  attempt: Attempt,
  items: readonly AttemptItem[],
  transition: Transition & { readonly reason: FailureReason },
  now: Date,
): Promise<boolean> => {
  const kind = eventKindOf(attempt, transition)
  if (kind === undefined) return false
  const overpaid = await sumOverpaid(db, attempt, items)
  const amountText = (minor: number): string => toDecimalText({ minor: BigInt(minor), currency: attempt.currency })
  const payload = {
    attemptId: attempt.id,
    intentId: attempt.intentId,
    customerId: attempt.customerId,
    customerExternalId: await findCustomerExternalId(db, attempt.customerId),
    provider: attempt.provider,
    currency: attempt.currency,
    amount: amountText(attempt.amountMinor),
    fee: amountText(attempt.feeMinor),
    refunded: amountText(transition.refundedMinor),
    reversed: amountText(transition.reversedMinor),
    ...(kind === 'payment.failed' ? { reason: transition.reason } : {}),
    ...(kind === 'payment.refunded' || kind === 'payment.reversed' ? { step: toStep(attempt, transition, amountText) } : {}),
    overpaid: amountText([...overpaid.values()].reduce((sum, minor) => sum + minor, 0)),
    invoices: items.flatMap(({ invoiceId: id, invoiceExternalId: externalId, invoiceNumber: number, amountMinor }) =>
      id === null ? [] : [{ id, externalId, number, amount: amountText(amountMinor), overpaid: amountText(overpaid.get(id) ?? 0) }],
    ),
    adjustments: items.flatMap(({ adjustmentId: id, adjustmentExternalId: externalId, amountMinor }) =>
      id === null ? [] : [{ id, externalId, amount: amountText(amountMinor) }],
    ),
  }
  const dedupeKey = `${kind} ${attempt.id} ${transition.refundedMinor} ${transition.reversedMinor} ${transition.status === 'succeeded' ? attempt.status : ''}`
  return insertOutboxEvent(db, attempt, { dedupeKey, kind, payload, now })
}
