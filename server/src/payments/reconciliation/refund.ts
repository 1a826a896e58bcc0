import { toDecimalText } from '@counterfoil/contract/kit/money'
import { OperatorError } from '../../kit/api-error.ts'
import { type Account, findAccountOf } from '../accounts/accounts.ts'
import { CARD_LIKE } from '../../kit/card-number.ts'
import { hasPaid } from '../attempts/attempt.ts'
import { fetchResult, lookUpAttempt, toIdentifiedOrder } from '../engine/look-up.ts'
import { settleAttempt } from '../engine/settle.ts'
import type { Attempt, AttemptKey } from '../attempts/attempt.queries.ts'
import type { Decline } from '../providers/decline.ts'
import { type PaymentsDeps, transactAsReseller } from '../payments-deps.ts'
import { clearSentRefund, markRefundSent } from './refund.queries.ts'

/** What was refunded, and the payment afterwards. */
export interface Refund {
  readonly refundedMinor: number
  readonly attempt: Attempt
}

/** What an operator asks for. */
export interface RefundRequest {
  /** The amount to refund in minor units, of what is left of the payment. */
  readonly amountOf: (attempt: Attempt) => number
  /**
   * What the provider's desk says of this refund. `made`: it was made there, or by an earlier command; it is recorded and nothing is sent.
   * `not-made`: an earlier command without an answer refunded nothing.
   */
  readonly operatorSaw: 'made' | 'not-made' | null
}

/**
 * Refunds a payment at its provider and records it. The provider is asked first, so that what was refunded before is known. What is sent is
 * marked before: a refund whose answer was lost is not made twice, whether the provider knows idempotency keys, tells of refunds, or
 * neither.
 * @throws OperatorError when nothing can be refunded, or nobody knows whether it was
 */
export const refundAttempt = async (deps: PaymentsDeps, key: AttemptKey, request: RefundRequest): Promise<Refund> => {
  const before = await lookUpAttempt(deps, key, 'operator')
  const account = await findAccountOf(deps, before)
  if (account === null) throw new OperatorError(`${before.provider} is not set up any more: refund the payment there.`)
  const { refundSentMinor, refundSentTotalMinor } = before
  const sent = refundSentMinor === null || refundSentTotalMinor === null ? null : { minor: refundSentMinor, total: refundSentTotalMinor }
  if (sent !== null && before.refundedMinor >= sent.total) return reportEarlierRefund(deps, before, sent.minor, request)
  if (request.operatorSaw === 'made') return recordRefund(deps, before, sent?.minor ?? request.amountOf(before))
  if (sent !== null && request.operatorSaw === null) assertRepeatable(account, before, sent.minor, request)
  return sendRefund(deps, account, before, request.amountOf(before))
}

/**
 * Deletes the mark of a refund whose answer was lost, because the provider reports this refund by now.
 * @returns the earlier refund
 * @throws OperatorError when the operator asks for another amount and something is left to refund
 */
const reportEarlierRefund = async (
  deps: PaymentsDeps,
  before: Attempt,
  sentMinor: number,
  { amountOf }: RefundRequest,
): Promise<Refund> => {
  await transactAsReseller(deps, before.resellerId, (db) => clearSentRefund(db, before))
  const isSame = refundableMinor(before) === 0 || amountOf(before) === sentMinor
  if (isSame) return { refundedMinor: sentMinor, attempt: before }
  throw new OperatorError(
    `An earlier refund of ${amountText(sentMinor, before)} was made after all. Nothing was sent now: run the command again to refund more.`,
  )
}

/**
 * Records a refund that an operator has seen at the provider; nothing is sent to refund.
 * @throws OperatorError when the provider reports its refunds itself, or less is left to refund
 */
const recordRefund = async (deps: PaymentsDeps, before: Attempt, amountMinor: number): Promise<Refund> => {
  const { providerRef } = requireRefundable(before, amountMinor)
  const current = await fetchResult(deps, before)
  if (current.state === 'succeeded' && current.refunded !== null)
    throw new OperatorError(`${before.provider} tells itself what was refunded; what it tells is recorded. Run the command without --made.`)
  const attempt = await settleAttempt(
    deps,
    before,
    {
      state: 'succeeded',
      providerRef,
      amount: { minor: BigInt(before.amountMinor), currency: before.currency },
      refunded: BigInt(before.refundedMinor + amountMinor),
      reversed: BigInt(before.reversedMinor),
    },
    'operator',
  )
  await transactAsReseller(deps, before.resellerId, (db) => clearSentRefund(db, before))
  return { refundedMinor: amountMinor, attempt }
}

/**
 * Checks that a refund whose answer was lost may be sent again.
 * @throws OperatorError for another amount, or where the provider would make it twice
 */
const assertRepeatable = ({ provider }: Account, before: Attempt, sentMinor: number, { amountOf }: RefundRequest): void => {
  if (provider.idempotency !== 'by-key')
    throw new OperatorError(
      `Nobody knows whether an earlier refund of ${amountText(sentMinor, before)} was made. See at ${provider.name}'s desk; then say --made or --not-made.`,
    )
  if (amountOf(before) !== sentMinor)
    throw new OperatorError(`Nobody knows whether an earlier refund of ${amountText(sentMinor, before)} was made: repeat that one first.`)
}

/**
 * Marks a refund as sent, sends it to the provider, and settles the payment by the answer.
 * @param before the payment as it was before this refund
 * @throws OperatorError when the provider takes no refunds or refuses this one, when nothing was sent, and when it is not known whether the
 *   provider refunded: then the mark stays
 */
const sendRefund = async (deps: PaymentsDeps, { provider, context }: Account, before: Attempt, amountMinor: number): Promise<Refund> => {
  if (provider.refunds === undefined) throw new OperatorError(`${before.provider} takes no refunds from here: refund the payment there.`)
  const { providerRef } = requireRefundable(before, amountMinor)
  const isMarked = await transactAsReseller(deps, before.resellerId, (db) => markRefundSent(db, before, amountMinor))
  if (!isMarked) throw new OperatorError('Another refund of this payment was sent meanwhile. Nothing was sent now.')
  const result = await provider.refunds
    .refund(
      context,
      toIdentifiedOrder(before, providerRef),
      { minor: BigInt(amountMinor), currency: before.currency },
      // A refund of another amount after one that was refused is another one: a key means one request.
      `${before.id}:${before.refundedMinor}:${amountMinor}`,
    )
    .catch((error: unknown) => ({ state: 'unknown' as const, detail: error instanceof Error ? error.message : 'no answer' }))
  const isRefused = result.state === 'declined' || result.state === 'not_sent'
  const attempt = isRefused ? before : await settleAttempt(deps, before, result, 'operator')
  const refundedMinor = attempt.refundedMinor - before.refundedMinor
  if (isRefused || refundedMinor >= amountMinor) await transactAsReseller(deps, before.resellerId, (db) => clearSentRefund(db, before))
  if (result.state === 'declined') throw new OperatorError(refundRefusedText(before, result))
  if (result.state === 'not_sent') throw new OperatorError(`Nothing was refunded: ${result.detail}.`)
  if (refundedMinor < amountMinor) {
    const why = 'detail' in result ? result.detail : `${before.provider} does not show it`
    throw new OperatorError(
      `Nobody knows whether it was refunded: no clear answer of ${before.provider} (${why}). Run the same command again.`,
    )
  }
  return { refundedMinor, attempt }
}

const MAX_TEXT_CHARACTERS = 300

/** A refusal in the provider's own words, and what to do: what is written for payers speaks of their card. */
const refundRefusedText = ({ id, provider, resellerId }: Attempt, { reason, providerCode, providerText = '' }: Decline): string => {
  const text = providerText.replaceAll(/\p{C}/gu, ' ').replace(CARD_LIKE, '[number]').trim().slice(0, MAX_TEXT_CHARACTERS)
  const words = text === '' || providerCode.includes(text) ? providerCode : `${providerCode}, "${text}"`
  const advice =
    reason === 'not_configured'
      ? `Its account may not be allowed to refund: see counterfoil reseller payments test ${resellerId}, and run the command again.`
      : `Run the command again when the cause is gone; or refund it at ${provider}'s desk, and then say so: counterfoil payments refund ${id} --made, where ${provider} does not tell itself.`
  return `${provider} refused the refund (${words}). Nothing was refunded. ${advice}`
}

/** An amount as decimal text with the currency's code. */
const amountText = (minor: number, { currency }: Attempt): string => `${toDecimalText({ minor: BigInt(minor), currency })} ${currency}`

/** What the payer has not got back yet, in minor units. */
export const refundableMinor = ({ amountMinor, refundedMinor, reversedMinor }: Attempt): number =>
  amountMinor - refundedMinor - reversedMinor

/**
 * The provider's id of a payment of which this amount can be refunded.
 * @throws OperatorError when it was not paid, or less is left
 */
const requireRefundable = (attempt: Attempt, amountMinor: number): { providerRef: string } => {
  const { status, providerRef } = attempt
  if (!hasPaid(status) || providerRef === null) throw new OperatorError(`The payment is ${status}: there is nothing to refund.`)
  const leftMinor = refundableMinor(attempt)
  if (leftMinor <= 0) throw new OperatorError('The whole payment was returned already.')
  if (amountMinor > leftMinor) throw new OperatorError(`Only ${amountText(leftMinor, attempt)} of the payment are left to refund.`)
  return { providerRef }
}
