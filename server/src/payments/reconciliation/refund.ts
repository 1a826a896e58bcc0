import { toDecimalText } from '@counterfoil/contract/kit/money'
import { OperatorError } from '../../kit/api-error.ts'
import { findAccount } from '../accounts/accounts.ts'
import { hasPaid } from '../engine/attempt.ts'
import { lookUpAttempt, toKnownOrder } from '../engine/look-up.ts'
import { settleAttempt } from '../engine/settle.ts'
import type { Attempt, AttemptKey } from '../engine/settle.queries.ts'
import type { PaymentsDeps } from '../payments-deps.ts'

/** What was refunded, and the payment afterwards. */
export interface Refund {
  readonly refundedMinor: number
  readonly attempt: Attempt
}

/**
 * Refunds a payment at its provider and records it. The provider is asked first, so that what was refunded before is known. The refund's
 * id counts from there: a refund whose answer was lost is not made twice when the command is repeated.
 * @param amountOf the amount to refund in minor units, of what is left of the payment
 * @throws OperatorError when nothing can be refunded, or nobody knows whether it was
 */
export const refundAttempt = async (deps: PaymentsDeps, key: AttemptKey, amountOf: (attempt: Attempt) => number): Promise<Refund> => {
  const before = await lookUpAttempt(deps, key, 'operator')
  const account = await findAccount(deps, before.resellerId, before.provider)
  if (account === null) throw new OperatorError(`${before.provider} is not set up any more: refund the payment there.`)
  const { provider, context } = account
  if (provider.refund === undefined) throw new OperatorError(`${before.provider} takes no refunds from here: refund the payment there.`)
  const amountMinor = amountOf(before)
  const { providerRef } = requireRefundable(before, amountMinor)
  const result = await provider.refund(
    context,
    toKnownOrder(before, providerRef),
    { minor: BigInt(amountMinor), currency: before.currency },
    `${before.id}:${before.refundedMinor}`,
  )
  if (result.state === 'declined') throw new OperatorError(`${before.provider} does not refund it: ${result.userMessage}`)
  if (result.state === 'not_sent') throw new OperatorError(`Nothing was refunded: ${result.detail}.`)
  const attempt = await settleAttempt(deps, key, result, 'operator')
  const refundedMinor = attempt.refundedMinor - before.refundedMinor
  if (refundedMinor <= 0)
    throw new OperatorError(`Nobody knows whether it was refunded: ${before.provider} did not answer. Run the same command again.`)
  return { refundedMinor, attempt }
}

/** What the payer has not got back yet. */
export const refundableMinor = ({ amountMinor, refundedMinor, reversedMinor }: Attempt): number =>
  amountMinor - refundedMinor - reversedMinor

const requireRefundable = (attempt: Attempt, amountMinor: number): { providerRef: string } => {
  const { status, currency, providerRef } = attempt
  if (!hasPaid(status) || providerRef === null) throw new OperatorError(`The payment is ${status}: there is nothing to refund.`)
  const leftMinor = refundableMinor(attempt)
  if (leftMinor <= 0) throw new OperatorError('The whole payment was returned already.')
  if (amountMinor > leftMinor)
    throw new OperatorError(`Only ${toDecimalText({ minor: BigInt(leftMinor), currency })} ${currency} of the payment are left to refund.`)
  return { providerRef }
}
