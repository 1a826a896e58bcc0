import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { Db } from '../../db/database.ts'
import { queueReceipt } from '../../mail/receipts.queries.ts'
import { type AttemptStatus, hasPaid, isLive } from './attempt.ts'
import { type Transition, transitionFor } from './transition.rules.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/provider.ts'
import { withSealedRedirect } from './redirects.ts'
import {
  type Attempt,
  type AttemptItem,
  type AttemptKey,
  announceEvent,
  book,
  bookedBy,
  type Entry,
  itemsOf,
  lockAttempt,
  payInvoice,
  setInCollection,
  setLive,
  settleAdjustment,
  type Source,
  writeChange,
} from './settle.queries.ts'
import { givenAgain, type Line, takenBack } from './allocation.rules.ts'

/**
 * Writes what was heard of an attempt: its state, the book, the invoices, the receipt and what the billing engine is told, in one short
 * transaction. Hearing the same twice, or what is older than what is known, changes nothing.
 * @returns the attempt as it now stands
 */
export const settle = async (deps: PaymentsDeps, key: AttemptKey, result: ChargeResult, source: Source): Promise<Attempt> => {
  const heard = { source, now: deps.clock() }
  const settled = await transactAsReseller(deps, key.resellerId, (db) =>
    settleWithin(db, key, withSealedRedirect(deps.keys, key.id, result), heard),
  )
  if (settled.status === 'manual')
    deps.log.error({ attemptId: settled.id, provider: settled.provider }, 'a payment needs a person: its outcome is not known')
  if (hasPaid(settled.status) && settled.receiptEmail !== null) deps.mailQueued()
  return settled
}

/** From whom it was heard, and when. */
interface Heard {
  readonly source: Source
  readonly now: Date
  /** What the history is to say, where it is not the company that spoke. */
  readonly note?: string
}

/** The same inside the caller's transaction. */
export const settleWithin = async (db: Db, key: AttemptKey, result: ChargeResult, heard: Heard): Promise<Attempt> => {
  let attempt = await lockAttempt(db, key)
  for (const one of stepsOf(attempt, result)) {
    await settleOne(db, attempt, one, heard)
    attempt = await lockAttempt(db, key)
  }
  return attempt
}

/** Money that came and went before we first heard of it came first, and then went. */
const stepsOf = (attempt: Attempt, result: ChargeResult): ChargeResult[] =>
  result.state === 'paid' && !hasPaid(attempt.status) && result.refunded + result.reversed > 0n
    ? [{ ...result, refunded: 0n, reversed: 0n }, result]
    : [result]

const settleOne = async (db: Db, attempt: Attempt, result: ChargeResult, { source, now, note }: Heard): Promise<void> => {
  const heard = transitionFor(attempt, result, now, source === 'sweep' || source === 'answer')
  const change = note === undefined ? heard : { ...heard, note }
  const providerRef = 'providerRef' in result ? result.providerRef : null
  const redirectUrl = change.status !== 'action' ? null : result.state === 'action' ? result.redirectUrl : attempt.redirectUrl
  const declined = result.state === 'declined' && change.status === 'declined' ? result : null
  await writeChange(db, attempt, change, { source, providerRef, redirectUrl, declined, now })
  if (isLive(attempt.status) && !isLive(change.status)) await setLive(db, attempt, false)
  const items = await itemsOf(db, attempt)
  await moveInvoices(db, attempt, items, change, now)
  await tell(db, attempt, items, change, now)
}

const moveInvoices = async (db: Db, attempt: Attempt, items: readonly AttemptItem[], change: Transition, now: Date): Promise<void> => {
  if (attempt.isDebit && change.status === 'processing') await setInCollection(db, attempt, true)
  if (attempt.isDebit && !isLive(change.status) && isLive(attempt.status)) await setInCollection(db, attempt, false)
  if (!hasPaid(attempt.status) && hasPaid(change.status)) return bookPayment(db, attempt, items, now)
  if (!hasPaid(attempt.status)) return
  await bookBack(db, attempt, 'refund', change.refundedMinor - attempt.refundedMinor, now)
  await bookBack(db, attempt, 'reversal', change.reversedMinor - attempt.reversedMinor, now)
}

/** The whole payment: to each invoice and adjustment what was asked for it, the rest is the fee. */
const bookPayment = async (db: Db, attempt: Attempt, items: readonly AttemptItem[], now: Date): Promise<void> => {
  const fee: Entry[] = attempt.feeMinor > 0 ? [{ kind: 'pay', invoiceId: null, adjustmentId: null, amountMinor: attempt.feeMinor }] : []
  await book(db, attempt, [...items.map((item): Entry => ({ kind: 'pay', ...item })), ...fee], now)
  for (const { invoiceId, adjustmentId, amountMinor } of items) {
    if (invoiceId !== null) await payInvoice(db, attempt.customerId, invoiceId, amountMinor)
    if (adjustmentId !== null) await settleAdjustment(db, attempt.customerId, adjustmentId, now)
  }
  if (attempt.receiptEmail !== null) await queueReceipt(db, attempt, now)
}

/**
 * Books what came back, from the fee upwards; what came back after all (a won dispute) is booked as paid again.
 * A reversal opens the invoices again; a refund is the reseller's own doing and leaves them paid (docs/decisions/0047).
 */
const bookBack = async (db: Db, attempt: Attempt, kind: 'refund' | 'reversal', amountMinor: number, now: Date): Promise<void> => {
  if (amountMinor === 0) return
  const entries = amountMinor > 0 ? takenBack(await bookedBy(db, attempt), amountMinor, kind) : await again(db, attempt, -amountMinor)
  await book(db, attempt, entries, now)
  if (kind === 'refund') return
  for (const { invoiceId, adjustmentId, amountMinor } of entries) {
    if (invoiceId !== null) await payInvoice(db, attempt.customerId, invoiceId, amountMinor)
    if (adjustmentId !== null) await settleAdjustment(db, attempt.customerId, adjustmentId, amountMinor > 0 ? now : null)
  }
}

const again = async (db: Db, attempt: Attempt, amountMinor: number): Promise<Entry[]> => {
  const asked: Line[] = [...(await itemsOf(db, attempt)), { invoiceId: null, adjustmentId: null, amountMinor: attempt.feeMinor }]
  return givenAgain(asked, await bookedBy(db, attempt), amountMinor)
}

/** What the billing engine hears of, by the state that an attempt has come to. */
const EVENTS: Readonly<Partial<Record<AttemptStatus, string>>> = {
  processing: 'payment.processing',
  succeeded: 'payment.succeeded',
  declined: 'payment.failed',
  'not-sent': 'payment.failed',
  expired: 'payment.failed',
  reversed: 'payment.reversed',
  refunded: 'payment.refunded',
}

const tell = async (db: Db, attempt: Attempt, items: readonly AttemptItem[], change: Transition, now: Date): Promise<void> => {
  const isMoreBack = change.refundedMinor !== attempt.refundedMinor || change.reversedMinor !== attempt.reversedMinor
  if (change.status === attempt.status && !isMoreBack) return
  const kind = isMoreBack && change.status === 'succeeded' && change.refundedMinor > 0 ? 'payment.refunded' : EVENTS[change.status]
  if (kind === undefined) return
  const text = (minor: number): string => toDecimalText({ minor: BigInt(minor), currency: attempt.currency })
  const payload = {
    attemptId: attempt.id,
    intentId: attempt.intentId,
    customerId: attempt.customerId,
    provider: attempt.provider,
    currency: attempt.currency,
    amount: text(attempt.amountMinor),
    fee: text(attempt.feeMinor),
    refunded: text(change.refundedMinor),
    reversed: text(change.reversedMinor),
    invoices: items.flatMap(({ invoiceId, amountMinor }) => (invoiceId === null ? [] : [{ id: invoiceId, amount: text(amountMinor) }])),
    adjustments: items.flatMap(({ adjustmentId, amountMinor }) =>
      adjustmentId === null ? [] : [{ id: adjustmentId, amount: text(amountMinor) }],
    ),
  }
  const dedupeKey = `${kind} ${attempt.id} ${change.refundedMinor} ${change.reversedMinor} ${change.status === 'succeeded' ? attempt.status : ''}`
  await announceEvent(db, attempt, { dedupeKey, kind, payload, now })
}
