import { randomUUID } from 'node:crypto'
import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { ApiError } from '../../kit/api-error.ts'
import { addMs } from '../../kit/clock.ts'
import type { Account } from '../accounts/accounts.ts'
import { FIRST_CHECK_MS, SENDABLE_MS } from '../attempts/transition.rules.ts'
import { type ClaimResult, claimIntent, type PaymentRequest } from './claim.ts'
import { chargeRulesOf } from '../accounts/chargeable.rules.ts'
import { openSendWindow } from '../providers/charge-permit.ts'
import { markSubmitting } from './claim.queries.ts'
import { cancelAttempt, lookUpAttempt } from './look-up.ts'
import { readAfterLoss } from './read-after-loss.ts'
import { waitForOutcome } from './wait-for-outcome.ts'
import { readPendingPayment } from '../payment-summary.ts'
import { transactAsReseller, queryAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { ClientInfo } from '../providers/order.ts'
import type { KnownMethod, NewCard } from '../providers/method.ts'
import { type Attempt, findAttempt } from '../attempts/attempt.queries.ts'
import { submitCharge } from './submit-charge.ts'

/** A stored method, or a card that is not stored. */
export type ChargeSource = { readonly method: Pick<KnownMethod, 'token' | 'kind' | 'details'> } | { readonly card: NewCard }

/** What to pay, and how to charge it. */
export interface ChargeRequest extends Omit<PaymentRequest, 'provider' | 'accountId' | 'chargeRules'> {
  /** The id of the new attempt, if there is to be one: its caller tells it from an earlier one by it. Any when absent. */
  readonly attemptId?: string
  readonly source: ChargeSource
  /** Where the browser returns after confirming; null when no payer is present. */
  readonly returnUrl: ((attemptId: string) => string) | null
  readonly client: ClientInfo | null
}

/**
 * Charges an intent, from the claim to the settled result, in short transactions; none is open while the provider is called (0004). A
 * repeated submission gets the first one's outcome; after a lost database the answer is what was stored, never "try again".
 * @returns the attempt as it stands, which need not have paid
 * @throws ApiError 409 while another payment is in progress, when the intent is paid, and when the amount due has changed
 */
export const chargeIntent = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  request: ChargeRequest,
): Promise<Attempt> => {
  const { attemptId = randomUUID() } = request
  try {
    return await chargeAs(deps, account, customer, { ...request, attemptId })
  } catch (error) {
    return readAfterLoss(deps, { ...customer, id: attemptId }, error)
  }
}

interface NamedChargeRequest extends ChargeRequest {
  /** The id of the new attempt, if there is to be one. */
  readonly attemptId: string
}

/**
 * Charges an intent under a given attempt id. A repeated submission is waited for instead, as is an attempt that was ended meanwhile.
 * @throws ApiError 409 while another payment claims one of its items
 */
const chargeAs = async (deps: PaymentsDeps, account: Account, customer: CustomerScope, request: NamedChargeRequest): Promise<Attempt> => {
  const claim = await claimOrReleaseEarlier(deps, account, customer, request)
  if (claim.kind === 'busy') {
    const payment = claim.attemptId === null ? undefined : await readPendingPayment(deps, { ...customer, id: claim.attemptId })
    throw new ApiError('payment_in_progress', PROCESSING_TEXT, { userMessage: PROCESSING_TEXT, payment })
  }
  const key = { ...customer, id: claim.attemptId }
  if (claim.kind === 'repeated') return waitForOutcome(deps, key)
  const window = openSendWindow(deps.clock, SENDABLE_MS)
  const nextCheckAt = addMs(window.startedAt, FIRST_CHECK_MS)
  const isSubmitting = await queryAsReseller(deps, customer.resellerId, (db) => markSubmitting(db, key, window.startedAt, nextCheckAt))
  return isSubmitting ? submitCharge(deps, account, { ...claim, key, window }, request) : waitForOutcome(deps, key)
}

/**
 * Claims an intent's items. Where an attempt that was never confirmed, or is unknown, still claims them, that one is canceled or looked up,
 * and the claim tried once more.
 */
const claimOrReleaseEarlier = async (
  deps: PaymentsDeps,
  account: Account,
  customer: CustomerScope,
  { attemptId, ...request }: NamedChargeRequest,
): Promise<ClaimResult> => {
  const paymentRequest: PaymentRequest = {
    ...request,
    provider: account.provider.name,
    accountId: account.id,
    chargeRules: chargeRulesOf(account),
  }
  const claim = await claimIntent(deps, customer, paymentRequest, attemptId)
  if (claim.kind !== 'busy' || claim.attemptId === null) return claim
  const earlier = await transactAsReseller(deps, customer.resellerId, (db) => findAttempt(db, { ...customer, id: claim.attemptId ?? '' }))
  if (earlier === undefined || (earlier.status !== 'requires_action' && earlier.status !== 'unknown')) return claim
  if (earlier.status === 'requires_action') await cancelAttempt(deps, earlier)
  else await lookUpAttempt(deps, earlier, 'return')
  return claimIntent(deps, customer, paymentRequest, attemptId)
}
