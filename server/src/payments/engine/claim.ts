import { addMs } from '../../kit/clock.ts'
import type { Db } from '../../db/database.ts'
import { ApiError } from '../../kit/api-error.ts'
import { FIRST_CHECK_MS } from '../attempts/transition.rules.ts'
import {
  type ClaimItem,
  findEarlierAttempt,
  listFeeRules,
  lockChargeTerms,
  lockMethod,
  releaseSubmitKey,
  insertAttempt,
  findIntent,
  findLiveAttempt,
  lockIntentItems,
} from './claim.queries.ts'
import { assertChargeable, assertCurrencyAccepted, type ChargeRules } from '../accounts/chargeable.rules.ts'
import { applicableFeeRules, paymentFee } from '../accounts/fees.rules.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import { insertAttemptEvent } from '../attempts/attempt.queries.ts'
import { createReference } from '../attempts/merchant-reference.ts'
import type { Submission } from '../attempts/submission.ts'

/** What to pay, and with which method. */
export interface PaymentRequest {
  readonly intentId: string
  readonly provider: string
  /** The account at which the charge is made; whatever is asked of the payment later is asked there. */
  readonly accountId: number
  readonly methodId: string | null
  /** The provider's own word. */
  readonly methodType: string
  readonly isDebit: boolean
  readonly submission: Submission | null
  readonly receiptEmail: string | null
  /** The total with the fee that the payer was shown, in minor units; null where no payer was shown one. */
  readonly shownMinor: number | null
  readonly chargeRules: ChargeRules
}

export type ClaimResult =
  | {
      readonly kind: 'claimed'
      readonly attemptId: string
      readonly merchantReference: string
      readonly amountMinor: number
      readonly currency: string
      readonly invoiceNumbers: readonly string[]
      readonly entryReference: string | null
    }
  /** This submission was made before; its outcome is the answer. */
  | { readonly kind: 'repeated'; readonly attemptId: string }
  /** Another attempt claims one of the invoices. */
  | { readonly kind: 'busy'; readonly attemptId: string | null }

export const ALREADY_PAID_TEXT = 'The invoice has already been paid. No further payments required.'
/** The text for the holder of a payment link, who has no invoices to go back to. */
export const LINK_CHANGED_TEXT = 'The amount has changed since it was shown. Please check it and pay again.'
export const HAS_CHANGED_TEXT = 'What you wanted to pay has changed since it was shown. Please go back to your invoices and choose again.'
/** The text for the payer of an intent that has changed since the payer saw it. */
export const changedTextOf = (intent: { readonly channel: string } | undefined): string =>
  intent?.channel === 'link' ? LINK_CHANGED_TEXT : HAS_CHANGED_TEXT
export const METHOD_NOT_READY_TEXT = 'This bank account is not confirmed yet. Please choose another method.'
const METHOD_REMOVED_TEXT = 'This payment method was removed. Please choose another one.'
/** Why a customer's invoices are not charged by autopay: it needs the customer's consent and has none. */
export const NOT_ALLOWED_REASON = 'not allowed'

const UNIQUE_VIOLATION = '23505'

/**
 * Claims an intent's items for one new attempt, in one transaction. What allows the charge is read again under locks: the reseller's
 * settings, the stored method, and the customer's consent where no payer is present.
 * @param attemptId the new attempt's id. The caller finds the attempt by this id when the database's answer is lost.
 * @returns `repeated` for a submission that was made before and `busy` for an item that another attempt claims; neither claims anything
 * @throws ApiError, and claims nothing: 404 when the intent or the method does not exist; 403 where payments are off; 409 when the intent
 *   is paid, when an amount due or the total with the fee is not what the payer was shown, when the method is not ready, when the account
 *   or a needed consent is gone, or when the provider cannot charge the currency or the amount
 */
export const claimIntent = async (
  deps: PaymentsDeps,
  payer: CustomerScope,
  request: PaymentRequest,
  attemptId: string,
): Promise<ClaimResult> => {
  const { resellerId } = payer
  try {
    return await transactAsReseller(deps, resellerId, (db) => claimIntentIn(db, payer, { ...request, attemptId }, deps.clock()))
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
    // A concurrent submission was faster; its attempt is visible now.
    const earlierAttemptId = await transactAsReseller(deps, resellerId, (db) => findEarlierAttempt(db, payer, request))
    return earlierAttemptId === undefined ? { kind: 'busy', attemptId: null } : { kind: 'repeated', attemptId: earlierAttemptId }
  }
}

/**
 * Claims an intent's items for one new attempt in the caller's transaction.
 * @throws as claimIntent
 */
const claimIntentIn = async (
  db: Db,
  payer: CustomerScope,
  request: PaymentRequest & { attemptId: string },
  now: Date,
): Promise<ClaimResult> => {
  const intent = await findIntent(db, payer, request.intentId)
  if (intent === undefined) throw new ApiError('not_found', 'There is no such payment.')
  assertCurrencyAccepted(intent.currency, request.chargeRules)
  const isPayerAbsent = intent.channel === 'autopay'
  const terms = await lockChargeTerms(db, payer, { isPayerAbsent })
  const method = request.methodId === null ? null : await lockMethod(db, payer, request.accountId, request.methodId)
  const items = await lockIntentItems(db, payer, intent.id)
  const earlierAttemptId = await findEarlierAttempt(db, payer, request)
  if (earlierAttemptId !== undefined) return { kind: 'repeated', attemptId: earlierAttemptId }
  const liveAttemptId = await findLiveAttempt(db, payer, items)
  if (liveAttemptId !== undefined) return { kind: 'busy', attemptId: liveAttemptId }
  const changedText = changedTextOf(intent)
  assertStillDue(items, intent.expiresAt < now, changedText)
  assertTermsStand(terms, request)
  assertMethodStands(method)
  if (isPayerAbsent) assertMayChargeAlone(terms, method)
  const sumMinor = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const feeRules = applicableFeeRules(await listFeeRules(db, payer.resellerId), request.chargeRules)
  const fee = paymentFee(sumMinor, intent.currency, request.isDebit, feeRules)
  const amountMinor = sumMinor + (fee?.minor ?? 0)
  if (request.shownMinor !== null && request.shownMinor !== amountMinor) throw hasChanged(changedText)
  assertChargeable({ amountMinor, currency: intent.currency, isDebit: request.isDebit }, request.chargeRules)
  const attempt = {
    ...request,
    ...payer,
    id: request.attemptId,
    merchantReference: createReference(request.chargeRules.reference, request.attemptId),
    currency: intent.currency,
    amountMinor,
    fee,
  }
  if (request.submission !== null) await releaseSubmitKey(db, payer, request.submission)
  await insertAttempt(db, attempt, items, now, addMs(now, FIRST_CHECK_MS))
  await insertAttemptEvent(db, attempt, { from: null, to: 'created', learnedFrom: 'answer', note: null, now })
  const invoiceNumbers = items.flatMap(({ number }) => (number === '' ? [] : [number]))
  return {
    kind: 'claimed',
    attemptId: attempt.id,
    merchantReference: attempt.merchantReference,
    amountMinor: attempt.amountMinor,
    currency: intent.currency,
    invoiceNumbers,
    entryReference: intent.entryReference,
  }
}

type ChargeTerms = Awaited<ReturnType<typeof lockChargeTerms>>
/** The stored method of a payment; null for a payment without a stored method, undefined for a removed method. */
type LockedMethod = Awaited<ReturnType<typeof lockMethod>> | null

/**
 * Checks what allows a charge, as it was read under locks.
 * @throws ApiError 403 when payments were switched off meanwhile; 409 when another account is used by now
 */
const assertTermsStand = (terms: ChargeTerms, { accountId }: PaymentRequest): void => {
  if (terms?.isEnabled !== true) throw new ApiError('payments_unavailable', 'Payments are not available.')
  if (terms.accountId !== accountId) throw new ApiError('payment_conflict', HAS_CHANGED_TEXT, { userMessage: HAS_CHANGED_TEXT })
}

/**
 * Checks a stored method as it was read under its lock; a payment without one passes.
 * @throws ApiError 404 when it was removed meanwhile; 409 when it cannot be charged
 */
const assertMethodStands = (method: LockedMethod): void => {
  if (method === undefined) throw new ApiError('not_found', METHOD_REMOVED_TEXT, { userMessage: METHOD_REMOVED_TEXT })
  if (method !== null && method.status !== 'ready') throw new ApiError('method_not_ready', METHOD_NOT_READY_TEXT)
}

/** Checks a charge without a payer. @throws ApiError 409 unless the customer allows it and the method is still the default */
const assertMayChargeAlone = (terms: ChargeTerms, method: LockedMethod): void => {
  if (terms?.isAllowed !== true) throw new ApiError('payment_conflict', NOT_ALLOWED_REASON)
  if (method?.isDefault !== true) throw new ApiError('payment_conflict', 'the default method was changed meanwhile')
}

/** The error, to be thrown, of a payment that has changed since the payer saw it. */
export const hasChanged = (text: string): ApiError => new ApiError('amount_changed', text, { userMessage: text })

/**
 * Checks that the items are due as they were shown.
 * @throws ApiError 409 when all are paid, or when one has changed, there is none, or the intent has expired
 */
const assertStillDue = (items: readonly ClaimItem[], isExpired: boolean, changedText: string): void => {
  if (items.length > 0 && items.every(({ isPaid }) => isPaid))
    throw new ApiError('already_paid', ALREADY_PAID_TEXT, { userMessage: ALREADY_PAID_TEXT })
  if (isExpired || items.length === 0 || items.some(({ isUnchanged }) => !isUnchanged)) throw hasChanged(changedText)
}
