import { findAccountOf } from '../accounts/accounts.ts'
import { transactAsReseller, findProviderFor, type PaymentsDeps } from '../payments-deps.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import type { IdentifiedOrder } from '../providers/order.ts'
import type { PaymentProvider } from '../providers/provider.ts'
import { hasPaid, isLive } from '../attempts/attempt.ts'
import { settleAttempt, settleIfUnchanged } from './settle.ts'
import { type Attempt, type AttemptKey, findAttempt, type ResultSource } from '../attempts/attempt.queries.ts'
import { MIN_NOT_STARTED_CHECKS, transitMs } from '../attempts/unknown-outcome.rules.ts'

const MINUTE_MS = 60_000
/** How long a payer may take to confirm before the payment is canceled. */
const CONFIRMATION_TIMEOUT_MS = 60 * MINUTE_MS

/**
 * Asks the provider what became of an attempt, and settles it. While the attempt is being submitted, only its submitter may end it, so
 * nothing is asked. What the provider has not started is canceled once nothing can be in transit any more, so that a lost request does not
 * claim an invoice for ever; what it holds ready for an attempt that has ended, or whose invoice has changed, is canceled at once.
 * @returns the attempt as it stands
 */
export const lookUpAttempt = async (deps: PaymentsDeps, key: AttemptKey, learnedFrom: ResultSource): Promise<Attempt> => {
  const { attempt: settled, result } = await fetchAndSettle(deps, key, learnedFrom)
  if (result === null) return settled
  const isUncanceledRemainder = result.state === 'not_started' && !isLive(settled.status) && !hasPaid(settled.status)
  return isUncanceledRemainder || shouldCancel(deps, settled) ? cancelAttempt(deps, settled, learnedFrom) : settled
}

/** How often the provider is asked again because the attempt has changed meanwhile. */
const MAX_LOOK_UPS = 3

/**
 * Asks the provider and settles the attempt, again while it changes meanwhile. The result is null where nothing was asked, and where the
 * attempt kept changing: it is looked up again when it is due.
 */
const fetchAndSettle = async (
  deps: PaymentsDeps,
  key: AttemptKey,
  learnedFrom: ResultSource,
): Promise<{ attempt: Attempt; result: ChargeResult | null }> => {
  let attempt = await loadAttempt(deps, key)
  for (let asked = 0; asked < MAX_LOOK_UPS && !isBeingSubmitted(deps, attempt); asked += 1) {
    const result = await fetchResult(deps, attempt)
    const settled = await settleIfUnchanged(deps, attempt, result, learnedFrom)
    if (settled !== null) return { attempt: settled, result }
    attempt = await loadAttempt(deps, key)
  }
  return { attempt, result: null }
}

/**
 * Whether an attempt may still be under way to the provider: it is not yet submitted or being submitted, and the first check is not due.
 * Only the submitter may end such an attempt, because a provider that does not know the payment yet may still get the request.
 */
const isBeingSubmitted = (deps: PaymentsDeps, { status, nextCheckAt }: Attempt): boolean =>
  (status === 'created' || status === 'submitting') && nextCheckAt !== null && nextCheckAt > deps.clock()

/**
 * Cancels an unfinished payment at the provider and settles it; if the money has moved after all, that is settled instead. Where the
 * provider cannot cancel, or knows no id, it is settled as canceled without a call.
 */
export const cancelAttempt = async (deps: PaymentsDeps, attempt: Attempt, learnedFrom: ResultSource = 'return'): Promise<Attempt> => {
  const account = await findAccountOf(deps, attempt)
  if (account === null) return attempt
  const { provider, context } = account
  const detail = 'the provider had not started it'
  const result: ChargeResult =
    provider.cancel === undefined || attempt.providerRef === null
      ? { state: 'canceled', detail }
      : await provider.cancel(context, toIdentifiedOrder(attempt, attempt.providerRef)).catch(toUnknownResult)
  return settleAttempt(deps, attempt, result, learnedFrom)
}

/**
 * Reads an attempt from the database alone.
 * @throws Error when it does not exist
 */
const loadAttempt = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await transactAsReseller(deps, key.resellerId, (db) => findAttempt(db, key))
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}

/** Asks the provider what became of an attempt, without writing it. No answer gives `unknown`. */
export const fetchResult = async (deps: PaymentsDeps, attempt: Attempt): Promise<ChargeResult> => {
  if (attempt.status === 'created') return { state: 'absent', detail: 'it was never sent' }
  const account = await findAccountOf(deps, attempt)
  if (account === null) return { state: 'unknown', detail: 'the provider is not configured any more' }
  const result = await account.provider.lookUp(account.context, toSentOrder(attempt)).catch(toUnknownResult)
  return result.state === 'absent' && !isUnpaidWhenNotFound(deps, attempt, account.provider)
    ? { state: 'unknown', detail: `${result.detail}, which may be too early to say` }
    : result
}

/**
 * Whether enough time has passed since an attempt was sent that finding nothing at the provider proves that nothing was charged. Taking a
 * list that lags for an outcome would free its invoices for a second payment.
 */
const isUnpaidWhenNotFound = (deps: PaymentsDeps, { sentAt }: Attempt, { notFoundMeansUnpaidAfterMs }: PaymentProvider): boolean =>
  notFoundMeansUnpaidAfterMs !== null && deps.clock().getTime() - (sentAt?.getTime() ?? 0) >= notFoundMeansUnpaidAfterMs

/** What a look-up needs to know of an attempt: references, amount, method, and what was refunded. */
export const toSentOrder = ({
  merchantReference,
  providerRef,
  amountMinor,
  currency,
  methodType,
  methodShown,
  sentAt,
  refundedMinor,
}: Attempt) => ({
  merchantReference,
  providerRef,
  amount: { minor: BigInt(amountMinor), currency },
  methodType,
  method: methodShown,
  sentAt,
  refunded: BigInt(refundedMinor),
})

/** What a look-up, refund or cancellation needs to know of an attempt, with the id that the provider has given the payment. */
export const toIdentifiedOrder = (attempt: Attempt, providerRef: string): IdentifiedOrder => ({
  ...toSentOrder(attempt),
  providerRef,
})

/** An unknown outcome with the message of what was thrown. */
const toUnknownResult = (error: unknown): ChargeResult => ({
  state: 'unknown',
  detail: error instanceof Error ? error.message : 'no answer',
})

/**
 * Whether an attempt is to be canceled at the provider now: one that was not confirmed in time or whose items changed, or an unknown one
 * that the provider has repeatedly not started.
 */
const shouldCancel = (deps: PaymentsDeps, attempt: Attempt): boolean => {
  const { provider, providerRef, status, sentAt, notStartedChecks } = attempt
  const ageMs = deps.clock().getTime() - (sentAt?.getTime() ?? 0)
  if (status === 'requires_action') return attempt.cancelRequestedAt !== null || ageMs >= CONFIRMATION_TIMEOUT_MS
  if (status !== 'unknown' || notStartedChecks < MIN_NOT_STARTED_CHECKS) return false
  const canBeCanceled = providerRef !== null && findProviderFor(deps, provider)?.cancel !== undefined
  return ageMs >= transitMs(canBeCanceled)
}
