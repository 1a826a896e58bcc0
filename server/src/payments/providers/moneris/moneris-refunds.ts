import type { Money } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import type { Decline } from '../decline.ts'
import type { IdentifiedOrder } from '../order.ts'
import { type Answer, type MonerisContext, sendTransaction } from './moneris-client.ts'
import { CRYPT_TYPE } from './moneris-charges.ts'
import { isReturnOf, quoteMessage, readOutcome, toMonerisAmount } from './moneris-codec.ts'
import { declineOfCode, declineOfMessage } from './moneris-declines.ts'

/**
 * Gives back a purchase or a part of it. The whole of one is voided on the day on which it was made; where Moneris has closed that batch,
 * it is refunded. Moneris has no idempotency key for either, so an answer that is lost is unknown, and nothing is sent again here.
 */
export const refund = async (context: MonerisContext, order: IdentifiedOrder, amount: Money): Promise<ChargeResult> => {
  if (order.providerRef === order.merchantReference)
    return { state: 'not_sent', detail: 'the TransID of the payment is not known: refund it at Moneris, then record that with --made' }
  const original = { order_id: order.merchantReference, txn_number: order.providerRef }
  if (mayBeVoided(order, amount, context.now)) {
    const voided = await sendTransaction(context, 'purchasecorrection', { ...original, crypt_type: CRYPT_TYPE })
    if (!isRejected(voided)) return toRefundResult(voided, order, amount)
  }
  const { order_id, txn_number } = original
  const answer = await sendTransaction(context, 'refund', {
    order_id,
    amount: toMonerisAmount(amount),
    txn_number,
    crypt_type: CRYPT_TYPE,
  })
  return toRefundResult(answer, order, amount)
}

/** Whether a refund is of the whole payment, nothing of it was given back, and the batch of its day is not closed yet. */
const mayBeVoided = ({ amount: paid, refunded, sentAt }: IdentifiedOrder, amount: Money, now: Date): boolean =>
  refunded === 0n && amount.minor === paid.minor && sentAt !== null && gatewayDay(sentAt) === gatewayDay(now)

/** The day on which an instant falls in Toronto, whose time closes Moneris' batches: YYYY-MM-DD. */
const gatewayDay = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto', dateStyle: 'short' }).format(at)

/** Whether Moneris answered that it did not process a transaction. */
const isRejected = (answer: Answer): boolean => 'receipt' in answer && readOutcome(answer.receipt).state === 'rejected'

/**
 * The result that the answer to a refund or void of `amount` stands for: the payment afterwards when Moneris approved this very one,
 * unknown when it approved another, else a decline or why nothing was sent.
 */
const toRefundResult = (answer: Answer, order: IdentifiedOrder, amount: Money): ChargeResult => {
  if (!('receipt' in answer)) return answer
  const outcome = readOutcome(answer.receipt)
  switch (outcome.state) {
    case 'approved':
      return isReturnOf(answer.receipt, order.merchantReference, amount) ? toRefunded(order, amount) : OTHER_REFUND
    case 'declined':
      return withText(declineOfCode(outcome.code), answer.receipt.Message)
    case 'rejected':
      return (
        withText(declineOfMessage(outcome.message), outcome.message) ?? {
          state: 'not_sent',
          detail: `moneris says ${quoteMessage(outcome.message)}`,
        }
      )
    case 'unknown':
      return outcome
  }
}

/** The decline of a refund with a text about the refund, because the decline's own text is about a card; undefined stays undefined. */
const withText = <Result extends Decline | undefined>(declined: Result, message = ''): Result =>
  declined && { ...declined, providerText: message, userMessage: 'The bank did not accept the refund.' }

/** The payment after `amount` more of it was refunded. */
const toRefunded = ({ providerRef, amount: paid, refunded }: IdentifiedOrder, amount: Money): ChargeResult => ({
  state: 'succeeded',
  providerRef,
  amount: paid,
  refunded: refunded + amount.minor,
  reversed: 0n,
})

const OTHER_REFUND: ChargeResult = { state: 'unknown', detail: 'moneris answered for another refund' }
