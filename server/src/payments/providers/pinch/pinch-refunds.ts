import type { Money } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import type { IdentifiedOrder } from '../order.ts'
import { callPinch, describeAnswer, type PinchAnswer, type PinchContext, resultWithoutAnswer } from './pinch-client.ts'
import { decodeRefund, hasRefundFailed, replayedData } from './pinch-codec.ts'
import { declineOf } from './pinch-declines.ts'
import { errorMessagesOf } from './pinch-errors.ts'
import { lookUp } from './pinch-look-up.ts'

const MAX_TRIES = 5
const UNDECIDED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429])

/**
 * Returns a part of a payment. The nonce makes one refund of it, however often it is sent. An earlier refund with this nonce that has
 * failed moved nothing, so that another nonce follows from it.
 */
export const refund = async (context: PinchContext, order: IdentifiedOrder, amount: Money, refundId: string): Promise<ChargeResult> => {
  try {
    let nonce = refundId
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const answer = await sendRefund(context, order, { amount, nonce })
      const made = decodeRefund(replayedData(answer) ?? (answer.status < 300 ? answer.body : undefined))
      if (made === undefined) return toUnmadeRefundResult(answer)
      if (BigInt(made.amount) !== amount.minor) return { state: 'unknown', detail: `pinch refunded ${made.amount}` }
      if (!hasRefundFailed(made)) return await readRefunded(context, order, amount)
      if (answer.status < 300) return { ...declineOf('card_declined', made.status), providerText: `the refund is ${made.status}` }
      nonce = `${refundId}/${made.id}`
    }
    return { state: 'unknown', detail: 'earlier refunds of this payment have failed' }
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}

/**
 * Posts a refund. Pinch makes at most one of a nonce.
 * @throws as callPinch
 */
const sendRefund = (
  context: PinchContext,
  { providerRef }: IdentifiedOrder,
  { amount, nonce }: { amount: Money; nonce: string },
): Promise<PinchAnswer> =>
  callPinch(context, {
    method: 'POST',
    path: '/refunds',
    body: { paymentId: providerRef, amount: Number(amount.minor), reason: 'Refunded by the merchant', nonce },
  })

/** The result of an answer to a refund that does not show the refund: a decline when Pinch refused it, else unknown. */
const toUnmadeRefundResult = (answer: PinchAnswer): ChargeResult => {
  if (answer.status === 401) return declineOf('not_configured', '401')
  const [message] = errorMessagesOf(answer.body)
  // A nonce that was used before belongs to a refund that may have been made.
  const isRefused = answer.status >= 400 && answer.status < 500 && !UNDECIDED_STATUSES.has(answer.status) && !/nonce/i.test(message ?? '')
  if (isRefused && message !== undefined) return { ...declineOf('card_declined', String(answer.status)), providerText: message }
  return { state: 'unknown', detail: describeAnswer(answer) }
}

/** The payment as looked up after a refund, which it may not show at once: at least what is known to be refunded counts. */
const readRefunded = async (context: PinchContext, order: IdentifiedOrder, amount: Money): Promise<ChargeResult> => {
  const payment = await lookUp(context, order)
  if (payment.state !== 'succeeded') return payment
  const minRefunded = order.refunded + amount.minor
  return { ...payment, refunded: payment.refunded !== null && payment.refunded > minRefunded ? payment.refunded : minRefunded }
}
