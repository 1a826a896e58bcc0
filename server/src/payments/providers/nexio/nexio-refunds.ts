import { type Money, toJsonNumber } from '@counterfoil/contract/kit/money'
import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { Decline } from '../decline.ts'
import type { IdentifiedOrder } from '../order.ts'
import { callNexio, merchantField, type NexioAnswer, type NexioContext, resultWithoutAnswer } from './nexio-client.ts'
import { isSettled } from './nexio-codec.ts'
import { toRefundDecline } from './nexio-declines.ts'
import { lookUp, readRecord } from './nexio-look-up.ts'

const TOO_EARLY_TEXT =
  'A part can be refunded once the payment has settled, usually the next day. Until then only the whole payment can be.'

const PART_TOO_EARLY: Decline = {
  state: 'declined',
  reason: 'try_again',
  providerCode: 'not_settled',
  providerText: TOO_EARLY_TEXT,
  userMessage: TOO_EARLY_TEXT,
}

/**
 * Returns a payment: by a refund once it has settled, before that by a void, which is of the whole payment. Nexio has no keys that make a
 * repeated refund safe, so what its list shows beyond what we know counts as this one.
 */
export const refund = async (context: NexioContext, order: IdentifiedOrder, amount: Money): Promise<ChargeResult> => {
  try {
    const before = await lookUp(context, order)
    if (before.state !== 'succeeded' || (before.refunded !== null && before.refunded > order.refunded)) return before
    const record = await readRecord(context, order.providerRef)
    if (record === undefined) return { state: 'unknown', detail: 'nexio does not know it' }
    if (isSettled(record)) return await sendRefund(context, order, amount, before)
    return amount.minor === before.amount.minor && order.refunded === 0n ? await sendVoid(context, order, before) : PART_TOO_EARLY
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}

/**
 * Voids a whole payment and looks up what became of it, also after a lost answer. A voided payment is returned as charged with all of it
 * refunded.
 */
const sendVoid = async (
  context: NexioContext,
  order: IdentifiedOrder,
  before: Extract<ChargeResult, { state: 'succeeded' }>,
): Promise<ChargeResult> => {
  const answer = await send(context, '/pay/v3/void', { id: order.providerRef })
  if ('state' in answer && answer.state === 'not_sent') return answer
  const declined = 'state' in answer ? undefined : toRefundDecline(answer)
  if (declined !== undefined) return declined
  const after = await lookUp(context, order)
  return after.state === 'voided' ? { ...before, refunded: before.amount.minor } : after
}

const WireRefund = Type.Object({ id: Type.String({ minLength: 1 }), amount: Type.Optional(Type.Number()) })

/** Refunds a part of a settled payment, or all of it. A lost or unclear answer is not repeated: the payment is looked up. */
const sendRefund = async (
  context: NexioContext,
  order: IdentifiedOrder,
  amount: Money,
  before: Extract<ChargeResult, { state: 'succeeded' }>,
): Promise<ChargeResult> => {
  const answer = await send(context, '/pay/v3/refund', { id: order.providerRef, data: { amount: toJsonNumber(amount) } })
  if ('state' in answer) return answer.state === 'not_sent' ? answer : lookUp(context, order)
  const declined = toRefundDecline(answer)
  if (declined !== undefined) return declined
  const { status, body } = answer
  const isMade = status === 200 && matchesSchema(WireRefund, body) && Math.abs(body.amount ?? toJsonNumber(amount)) === toJsonNumber(amount)
  // The list may not show the refund yet, so its own answer is what counts.
  return isMade ? { ...before, refunded: order.refunded + amount.minor } : lookUp(context, order)
}

/** Posts a void or a refund, once. A failure to get an answer is returned, not thrown. */
const send = async (context: NexioContext, path: string, body: object): Promise<NexioAnswer | ReturnType<typeof resultWithoutAnswer>> => {
  try {
    return await callNexio(context, { method: 'POST', path, body: { ...merchantField(context), ...body } })
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}
