import type { Money } from '@counterfoil/contract/kit/money'
import type { ChargeResult } from '../charge-result.ts'
import type { IdentifiedOrder } from '../order.ts'
import { type BpointAnswer, type BpointContext, callBpoint, resultWithoutAnswer } from './bpoint-client.ts'
import { type BpointTransaction, codesOf, decodeTransaction, isApproved } from './bpoint-codec.ts'
import { toRefundDecline } from './bpoint-declines.ts'
import { toErrorDecline } from './bpoint-errors.ts'
import { lookUp, readTransaction } from './bpoint-look-up.ts'

/**
 * Returns a payment or a part of it. BPOINT has no keys that make a repeated refund safe, so what its search shows beyond what we know
 * counts as this one.
 */
export const refund = async (context: BpointContext, order: IdentifiedOrder, amount: Money): Promise<ChargeResult> => {
  try {
    const before = await lookUp(context, order)
    if (before.state !== 'succeeded' || (before.refunded !== null && before.refunded > order.refunded)) return before
    const payment = await readTransaction(context, before.providerRef)
    if (payment === undefined) return { state: 'unknown', detail: 'bpoint does not know it' }
    const answer = await sendRefund(context, payment, amount)
    if ('state' in answer) return answer.state === 'not_sent' ? answer : await lookUp(context, order)
    const declined = toErrorDecline(answer)
    if (declined !== undefined) return declined
    return readRefund(answer, payment, amount) === 'made'
      ? // A search may not show the refund yet, so its own answer is what counts.
        { ...before, refunded: order.refunded + amount.minor }
      : (toRefused(answer, payment, amount) ?? (await lookUp(context, order)))
  } catch (error) {
    return { state: 'unknown', detail: resultWithoutAnswer(error).detail }
  }
}

/** Posts a refund, once. A failure to get an answer is returned, not thrown. */
const sendRefund = async (
  context: BpointContext,
  { txnNumber, merchantReference, crn1, billerCode }: BpointTransaction,
  amount: Money,
): Promise<BpointAnswer | ReturnType<typeof resultWithoutAnswer>> => {
  const body = {
    action: 'Refund',
    type: 'Internet',
    subType: 'Single',
    amount: Number(amount.minor),
    currency: amount.currency,
    originalTxnNumber: txnNumber,
    crn1,
    // The search for the payment finds its refunds, too.
    merchantReference,
    testMode: context.settings.testMode ?? false,
    ...(billerCode ? { billerCode } : {}),
  }
  try {
    return await callBpoint(context, { method: 'POST', path: '/txns', body })
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}

/** The refund of this payment over this amount that an answer tells of, approved or not; undefined where it tells of something else. */
const refundOf = ({ status, body }: BpointAnswer, payment: BpointTransaction, amount: Money): BpointTransaction | undefined => {
  const made = status === 200 ? decodeTransaction(body) : undefined
  const isThis = made?.action === 'Refund' && made.originalTxnNumber === payment.txnNumber && BigInt(made.amount) === amount.minor
  return isThis ? made : undefined
}

/** `made` where an answer says that this very refund was approved. */
const readRefund = (answer: BpointAnswer, payment: BpointTransaction, amount: Money): 'made' | undefined => {
  const made = refundOf(answer, payment, amount)
  return made !== undefined && isApproved(made) ? 'made' : undefined
}

/** The decline of this very refund; undefined where the answer tells of another, or leaves open whether it was made. */
const toRefused = (answer: BpointAnswer, payment: BpointTransaction, amount: Money): ChargeResult | undefined => {
  const made = refundOf(answer, payment, amount)
  return made === undefined ? undefined : toRefundDecline(codesOf(made))
}
