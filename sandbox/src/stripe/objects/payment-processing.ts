import { addToBalance, feeOf } from './balance.ts'
import { bookCharge, type Charge, failed, newCharge, paid } from './charges.ts'
import { openDispute } from './disputes.ts'
import type { Order } from '../api/endpoint.ts'
import { lastError } from './intents.ts'
import { endMandate } from './mandates.ts'
import type { PaymentIntent } from './payment-intent.ts'
import type { PaymentMethod } from './payment-methods/payment-method.ts'
import { attach } from './payment-methods/payment-methods.ts'
import type { CardRefusal } from '../api/stripe-error.ts'
import { type DebitType, isDebit, testAccount } from './payment-methods/test-accounts.ts'
import { declined, testCard } from './payment-methods/test-cards.ts'
import type { Work } from '../store/sandbox-session.ts'

interface Carried {
  readonly intent: PaymentIntent
  /** Why it did not go through. */
  readonly refusal?: CardRefusal
}

/** Charges the card, or sends the debit on its way. */
export const carryOut = (work: Work, intent: PaymentIntent, method: PaymentMethod, order: Order | undefined): Carried => {
  const refusal = order === 'decline' ? ordered(method) : refusalOf(method)
  if (refusal !== undefined) return { intent: refuse(work, intent, method, refusal), refusal }
  if (isDebit(method.type)) return { intent: begin(work, intent, method) }
  return { intent: intent.capture_method === 'manual' ? authorise(work, intent, method) : take(work, intent, method) }
}

const ordered = ({ type }: PaymentMethod): CardRefusal =>
  isDebit(type)
    ? { code: 'payment_method_provider_decline', message: 'The payment was declined by the bank.' }
    : declined('generic_decline')

const refusalOf = ({ type, sandbox_only }: PaymentMethod): CardRefusal | undefined => {
  if (!isDebit(type)) return testCard(sandbox_only.number)?.refusal
  const { failure, atOnce } = testAccount(type, sandbox_only.number)
  if (!atOnce || failure === undefined) return undefined
  return failure === 'card_declined' ? declined('fraudulent') : debitFailure(failure)
}

/** A debit's failure by its code. */
const debitFailure = (code: string): CardRefusal => ({
  code,
  message: `The debit failed: ${code.replaceAll('_', ' ')}.`,
})

/** Books that the bank said no: a failed charge, and an intent that waits for another method. */
export const refuse = (work: Work, intent: PaymentIntent, method: PaymentMethod, refusal: CardRefusal): PaymentIntent => {
  const charge = work.put(failed(newCharge(work, intent, method), refusal))
  work.tell('charge.failed', charge)
  return refusedBy(work, intent, method, refusal, charge)
}

const refusedBy = (work: Work, intent: PaymentIntent, method: PaymentMethod, refusal: CardRefusal, charge: Charge): PaymentIntent => {
  const after = work.put({
    ...intent,
    status: 'requires_payment_method' as const,
    next_action: null,
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: lastError(refusal, method, charge.id),
    sandbox_only: { ...intent.sandbox_only, authenticated: false },
  })
  work.tell('payment_intent.payment_failed', after)
  return after
}

const authorise = (work: Work, intent: PaymentIntent, method: PaymentMethod): PaymentIntent => {
  const charge = work.put(paid(newCharge(work, intent, method)))
  keepMethod(work, intent, method)
  const held = work.put({ ...intent, status: 'requires_capture' as const, latest_charge: charge.id, amount_capturable: intent.amount })
  work.tell('payment_intent.amount_capturable_updated', held)
  return held
}

const take = (work: Work, intent: PaymentIntent, method: PaymentMethod): PaymentIntent => {
  const charge = paid(newCharge(work, intent, method))
  keepMethod(work, intent, method)
  return received(work, intent, charge, charge.amount)
}

/** The money of a charge is in: booked, in the balance, told. */
export const received = (work: Work, intent: PaymentIntent, charge: Charge, amount: number): PaymentIntent => {
  const { currency, id: source } = charge
  const type = source.startsWith('py') ? 'payment' : 'charge'
  const line = addToBalance(work, { amount, currency, source, type, fee: feeOf(amount), description: intent.description })
  const done = work.put({ ...paid(charge), captured: true, amount_captured: amount, balance_transaction: line })
  bookCharge(work, done, 'succeeded')
  work.tell('charge.succeeded', done)
  const after = work.put({
    ...intent,
    status: 'succeeded' as const,
    next_action: null,
    latest_charge: done.id,
    amount_received: amount,
    amount_capturable: 0,
  })
  work.tell('payment_intent.succeeded', after)
  disputeIfOrdered(work, done)
  return after
}

const disputeIfOrdered = (work: Work, charge: Charge): void => {
  const method = work.find<PaymentMethod>('payment_method', charge.payment_method)
  const number = method?.sandbox_only.number ?? ''
  const disputed = isDebit(charge.sandbox_only.method)
    ? testAccount(charge.sandbox_only.method, number).disputed
    : testCard(number)?.disputed
  if (disputed) openDispute(work, charge, 'fraudulent')
}

const begin = (work: Work, intent: PaymentIntent, method: PaymentMethod): PaymentIntent => {
  const charge = work.put({ ...newCharge(work, intent, method), status: 'pending' as const, captured: true })
  bookCharge(work, charge, 'pending')
  work.tell('charge.pending', charge)
  keepMethod(work, intent, method)
  const waiting = work.put({ ...intent, status: 'processing' as const, latest_charge: charge.id })
  work.tell('payment_intent.processing', waiting)
  return waiting
}

/** A waiting debit that came back unpaid. */
export const debitFailed = (work: Work, intent: PaymentIntent, waiting: Charge): PaymentIntent => {
  const method = work.get<PaymentMethod>('payment_method', waiting.payment_method)
  const account = testAccount(method.type as DebitType, method.sandbox_only.number)
  const refusal = debitFailure(account.failure ?? 'insufficient_funds')
  const charge = work.put(failed(waiting, refusal))
  bookCharge(work, charge, 'failed')
  work.tell('charge.failed', charge)
  if (account.endsMandate) endMandate(work, method)
  return refusedBy(work, intent, method, refusal, charge)
}

const keepMethod = (work: Work, intent: PaymentIntent, method: PaymentMethod): void => {
  if (method.customer !== null) return
  if (intent.setup_future_usage !== null && intent.customer !== null) {
    const setUp = intent.sandbox_only.authenticated ?? false
    attach(work, { ...method, sandbox_only: { ...method.sandbox_only, setUp } }, intent.customer)
    return
  }
  work.put({ ...method, sandbox_only: { ...method.sandbox_only, spent: true } })
}
