import type { ChargeOrder, ChargeResult } from '../provider.ts'
import type { KnownMethod, NewCard } from '../method.ts'
import { callPinch, type PinchContext, resultWithoutAnswer } from './pinch-client.ts'
import { chargedPayment, decodeCharge, isOfAnother, summaryOf, toSummary } from './pinch-codec.ts'
import { declineOf, declineOfOtherToken, isBrowserToken } from './pinch-declines.ts'
import { withoutCodes } from './pinch-texts.ts'

const MAX_DESCRIPTION_LENGTH = 500

/** Sends the one request that moves money. Its nonce is our reference, so that Pinch makes one payment of it however often it arrives. */
const sendCharge = async (context: PinchContext, order: ChargeOrder, path: string, body: object): Promise<ChargeResult> => {
  const { amount, ourRef } = order
  const { currency = 'AUD' } = context.settings
  if (amount.currency !== currency) return declineOf('currency_not_accepted', `this account is paid in ${currency}`)
  try {
    const request = { ...body, amount: Number(amount.minor), description: toDescription(order), nonce: ourRef, metadata: ourRef }
    const answer = await callPinch(context, { method: 'POST', path, body: request })
    const payment = chargedPayment(answer)
    if (payment !== undefined && !isOfAnother(payment, ourRef)) await saveWhatPaid(order, payment.id, summaryOf(payment))
    return decodeCharge(answer, order)
  } catch (error) {
    return resultWithoutAnswer(error)
  }
}

/** The card of a payment without a stored one is known by the answer alone. Money may have moved by then, so a failure changes nothing. */
const saveWhatPaid = (order: ChargeOrder, paymentId: string, summary: ReturnType<typeof summaryOf>): Promise<void> =>
  summary === undefined ? Promise.resolve() : order.saveReference(paymentId, summary).catch(() => undefined)

const toDescription = ({ legalName, invoiceNumbers }: ChargeOrder): string =>
  withoutCodes(`${legalName}: ${invoiceNumbers.join(', ')}`).slice(0, MAX_DESCRIPTION_LENGTH)

export const chargeStoredMethod = async (context: PinchContext, order: ChargeOrder, method: KnownMethod): Promise<ChargeResult> => {
  const { token: sourceId, kind, providerCustomerId: payerId, details } = method
  if (payerId === null) return { state: 'not_sent', detail: 'pinch has no payer for this customer' }
  await order.saveReference(order.ourRef, toSummary(details))
  // Names beside the payer's id are an error, so that they are not sent.
  if (kind === 'card') return sendCharge(context, order, '/payments/realtime', { payerId, sourceId })
  return sendCharge(context, order, '/payments', { payerId, sourceId, transactionDate: dayInSydney(context.now) })
}

/** Pinch's days are those of Sydney. */
export const dayInSydney = (now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' }).format(now)

/** Charges a card that is not to be kept; Pinch makes a payer of it. */
export const chargeNewCard = async (context: PinchContext, order: ChargeOrder, input: NewCard): Promise<ChargeResult> => {
  const { entry, holder = '', email = '' } = input
  if (entry.kind !== 'token') throw new Error('pinch takes tokens alone')
  if (!isBrowserToken(entry.token)) return declineOfOtherToken()
  const fullName = withoutCodes(holder)
  if (fullName === '' || email === '') return declineOf('enter_again', 'no-contact', 'Enter the name on the card and your email address.')
  await order.saveReference(order.ourRef)
  return sendCharge(context, order, '/payments/realtime', { fullName, email, token: entry.token })
}
