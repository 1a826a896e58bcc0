import { addToBalance, feeOf } from './balance.ts'
import { bookCharge, type Charge, toFailedCharge, newCharge, toPaidCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import { lastError } from './intents.ts'
import { deactivateMandate } from './mandates.ts'
import type { PaymentIntent } from './payment-intent.ts'
import type { PaymentMethod } from '../payment-methods/payment-method.ts'
import { attachMethod } from '../payment-methods/payment-methods.ts'
import type { Decline } from '../api/stripe-error.ts'
import { type DebitType, isDebit, testAccount } from '../payment-methods/test-accounts.ts'
import { cardDecline, testCard } from '../payment-methods/test-cards.ts'
import type { StripeSession } from '../store/stripe-session.ts'

interface ProcessedPayment {
  readonly intent: PaymentIntent
  /** Why the payment failed. */
  readonly decline?: Decline
}

/** Charges or authorises the card, or submits the debit, and stores that. A decline is stored and returned, not thrown. */
export const processPayment = (
  sandbox: StripeSession,
  intent: PaymentIntent,
  method: PaymentMethod,
  forcedOutcome: ForcedOutcome | undefined,
): ProcessedPayment => {
  const decline = forcedOutcome === 'decline' ? forcedDecline(method) : declineOf(method)
  if (decline !== undefined) return { intent: failPayment(sandbox, intent, method, decline), decline }
  if (isDebit(method.type)) return { intent: submitDebit(sandbox, intent, method) }
  return { intent: intent.capture_method === 'manual' ? authorizeCard(sandbox, intent, method) : chargeCard(sandbox, intent, method) }
}

/** The decline that a fault forces on a card or a bank account. */
const forcedDecline = ({ type }: PaymentMethod): Decline =>
  isDebit(type)
    ? { code: 'payment_method_provider_decline', message: 'The payment was declined by the bank.' }
    : cardDecline('generic_decline')

/** The decline of a test number at confirmation; undefined for others. A debit that fails later has none. */
const declineOf = ({ type, sandbox_only }: PaymentMethod): Decline | undefined => {
  if (!isDebit(type)) return testCard(sandbox_only.number)?.decline
  const { failure, failsImmediately } = testAccount(type, sandbox_only.number)
  if (!failsImmediately || failure === undefined) return undefined
  return failure === 'card_declined' ? cardDecline('fraudulent') : debitFailure(failure)
}

/** The decline of a debit with this failure code. */
const debitFailure = (code: string): Decline => ({
  code,
  message: `The debit failed: ${code.replaceAll('_', ' ')}.`,
})

/** Stores a failed charge, puts the intent back to waiting for a method, and queues the events. Nothing is booked. */
export const failPayment = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod, decline: Decline): PaymentIntent => {
  const charge = sandbox.put(toFailedCharge(newCharge(sandbox, intent, method), decline))
  sandbox.emit({ type: 'charge.failed', object: charge })
  return reopenIntent(sandbox, intent, method, decline, charge)
}

/** Stores the intent as waiting for another method, with the decline as its last error, and queues the event. */
const reopenIntent = (
  sandbox: StripeSession,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline,
  charge: Charge,
): PaymentIntent => {
  const after = sandbox.put({
    ...intent,
    status: 'requires_payment_method' as const,
    next_action: null,
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: lastError(decline, method, charge.id),
    sandbox_only: { ...intent.sandbox_only, authenticated: false },
  })
  sandbox.emit({ type: 'payment_intent.payment_failed', object: after })
  return after
}

/** Stores a charge that waits for its capture; no money is booked. */
const authorizeCard = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod): PaymentIntent => {
  const charge = sandbox.put(toPaidCharge(newCharge(sandbox, intent, method)))
  saveOrSpendMethod(sandbox, intent, method)
  const held = sandbox.put({ ...intent, status: 'requires_capture' as const, latest_charge: charge.id, amount_capturable: intent.amount })
  sandbox.emit({ type: 'payment_intent.amount_capturable_updated', object: held })
  return held
}

/** Charges the card at once and books the money. */
const chargeCard = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod): PaymentIntent => {
  const charge = toPaidCharge(newCharge(sandbox, intent, method))
  saveOrSpendMethod(sandbox, intent, method)
  return succeedPayment(sandbox, intent, charge, charge.amount)
}

/**
 * Books the charge, adds it to the balance, completes the intent and queues the events. A test method that is disputed gets its dispute.
 */
export const succeedPayment = (sandbox: StripeSession, intent: PaymentIntent, charge: Charge, amount: number): PaymentIntent => {
  const { currency, id: source } = charge
  const type = source.startsWith('py') ? 'payment' : 'charge'
  const transaction = addToBalance(sandbox, { amount, currency, source, type, fee: feeOf(amount), description: intent.description })
  const paidCharge = sandbox.put({ ...toPaidCharge(charge), captured: true, amount_captured: amount, balance_transaction: transaction })
  bookCharge(sandbox, paidCharge, 'succeeded')
  sandbox.emit({ type: 'charge.succeeded', object: paidCharge })
  const after = sandbox.put({
    ...intent,
    status: 'succeeded' as const,
    next_action: null,
    latest_charge: paidCharge.id,
    amount_received: amount,
    amount_capturable: 0,
  })
  sandbox.emit({ type: 'payment_intent.succeeded', object: after })
  disputeIfTestMethod(sandbox, paidCharge)
  return after
}

/** Opens a dispute when the charge's test number says so. */
const disputeIfTestMethod = (sandbox: StripeSession, charge: Charge): void => {
  const method = sandbox.find<PaymentMethod>('payment_method', charge.payment_method)
  const number = method?.sandbox_only.number ?? ''
  const isDisputed = isDebit(charge.sandbox_only.method)
    ? testAccount(charge.sandbox_only.method, number).isDisputed
    : testCard(number)?.isDisputed
  if (isDisputed) openDispute(sandbox, charge, 'fraudulent')
}

/** Stores a pending debit, booked as pending; a later settlement decides about it. */
const submitDebit = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod): PaymentIntent => {
  const charge = sandbox.put({ ...newCharge(sandbox, intent, method), status: 'pending' as const, captured: true })
  bookCharge(sandbox, charge, 'pending')
  sandbox.emit({ type: 'charge.pending', object: charge })
  saveOrSpendMethod(sandbox, intent, method)
  const waiting = sandbox.put({ ...intent, status: 'processing' as const, latest_charge: charge.id })
  sandbox.emit({ type: 'payment_intent.processing', object: waiting })
  return waiting
}

/** Fails a pending debit, books that, and puts the intent back to waiting for a method. Some test accounts end the mandate. */
export const failDebit = (sandbox: StripeSession, intent: PaymentIntent, waiting: Charge): PaymentIntent => {
  const method = sandbox.get<PaymentMethod>('payment_method', waiting.payment_method)
  const account = testAccount(method.type as DebitType, method.sandbox_only.number)
  const decline = debitFailure(account.failure ?? 'insufficient_funds')
  const charge = sandbox.put(toFailedCharge(waiting, decline))
  bookCharge(sandbox, charge, 'failed')
  sandbox.emit({ type: 'charge.failed', object: charge })
  if (account.endsMandate) deactivateMandate(sandbox, method)
  return reopenIntent(sandbox, intent, method, decline, charge)
}

/** Attaches a method without a customer to the intent's customer when it is set up for later; else the method is spent. */
const saveOrSpendMethod = (sandbox: StripeSession, intent: PaymentIntent, method: PaymentMethod): void => {
  if (method.customer !== null) return
  if (intent.setup_future_usage !== null && intent.customer !== null) {
    const setUp = intent.sandbox_only.authenticated ?? false
    attachMethod(sandbox, { ...method, sandbox_only: { ...method.sandbox_only, setUp } }, intent.customer)
    return
  }
  sandbox.put({ ...method, sandbox_only: { ...method.sandbox_only, spent: true } })
}
