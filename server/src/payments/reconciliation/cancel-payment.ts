import { OperatorError } from '../../kit/api-error.ts'
import { hasPaid, isLive } from '../attempts/attempt.ts'
import { cancelAttempt, lookUpAttempt } from '../engine/look-up.ts'
import type { Attempt, AttemptKey } from '../attempts/attempt.queries.ts'
import { findProviderFor, type PaymentsDeps } from '../payments-deps.ts'

/**
 * Cancels a payment that has moved no money yet, such as a debit that its bank has not been asked for. The provider is asked first what
 * became of it, and only the provider's word cancels it.
 * @returns the attempt afterwards, whose invoices can be paid again
 * @throws OperatorError when it has ended, or the provider does not cancel it
 */
export const cancelPayment = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const current = await lookUpAttempt(deps, key, 'operator')
  const { status, provider, providerRef } = current
  if (!isLive(status)) throw new OperatorError(`The payment is ${status}: there is nothing to cancel.`)
  if (status === 'created' || status === 'submitting') throw new OperatorError('The payment is being sent just now. Try again in a minute.')
  if (providerRef === null || findProviderFor(deps, provider)?.cancel === undefined)
    throw new OperatorError(`${provider} cancels no payments from here: cancel it there.`)
  const attempt = await cancelAttempt(deps, current, 'operator')
  if (isLive(attempt.status) || hasPaid(attempt.status))
    throw new OperatorError(`${provider} does not cancel it any more: the payment is ${attempt.status}.`)
  return attempt
}
