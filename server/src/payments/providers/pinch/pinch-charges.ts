import { declineTypedMethod } from '../decline.ts'
import type { ChargeOrder } from '../order.ts'
import type { NotPrepared, PreparedCharge } from '../prepared-charge.ts'
import type { KnownMethod, MethodSummary, NewCard } from '../method.ts'
import { readBearer } from './pinch-bearer.ts'
import { type PinchContext, resultWithoutAnswer, sendCharge } from './pinch-client.ts'
import { chargedPayment, decodeCharge, isOfAnotherOrder, summaryOf, toSummary } from './pinch-codec.ts'
import { declineOf, missingPayerDecline, isBrowserToken } from './pinch-declines.ts'
import { withoutCodes } from './pinch-texts.ts'
import { currencyOf } from './pinch.settings.ts'

const MAX_DESCRIPTION_LENGTH = 500

/**
 * A charge whose nonce is our reference, so that Pinch makes one payment of it however often it arrives. Only the bearer token is fetched
 * before `submit`; a currency that the account is not paid in is declined.
 */
const prepareCharge = async (
  context: PinchContext,
  order: ChargeOrder,
  { path, body, method }: { readonly path: Parameters<typeof sendCharge>[2]; readonly body: object; readonly method?: MethodSummary },
): Promise<PreparedCharge | NotPrepared> => {
  const { amount, merchantReference } = order
  const currency = currencyOf(context.settings)
  if (amount.currency !== currency) return declineOf('currency_not_accepted', `this account is paid in ${currency}`)
  try {
    await readBearer(context)
  } catch (error) {
    const result = resultWithoutAnswer(error)
    return result.state === 'declined' ? result : { state: 'not_sent', detail: result.detail }
  }
  const request = {
    ...body,
    amount: Number(amount.minor),
    description: toDescription(order),
    nonce: merchantReference,
    metadata: merchantReference,
  }
  return {
    providerRef: merchantReference,
    method,
    submit: async (permit) => {
      try {
        const answer = await sendCharge(context, permit, path, request)
        const payment = chargedPayment(answer)
        // The card of a payment without a stored one is known by the answer alone.
        const shown = payment === undefined || isOfAnotherOrder(payment, merchantReference) ? undefined : summaryOf(payment)
        return { ...decodeCharge(answer, order), method: shown }
      } catch (error) {
        return resultWithoutAnswer(error)
      }
    },
  }
}

/** What Pinch shows of a payment: the legal name and the invoice numbers. */
const toDescription = ({ legalName, invoiceNumbers }: ChargeOrder): string =>
  withoutCodes(`${legalName}: ${invoiceNumbers.join(', ')}`).slice(0, MAX_DESCRIPTION_LENGTH)

/**
 * Prepares the charge of a payer's stored card, or a debit of the bank account dated today in Sydney; a customer without a payer is
 * `not_sent`. No money moves before `submit`.
 */
export const prepareStoredMethodCharge = async (
  context: PinchContext,
  order: ChargeOrder,
  { token: sourceId, kind, providerCustomerId: payerId, details }: KnownMethod,
): Promise<PreparedCharge | NotPrepared> => {
  if (payerId === null) return { state: 'not_sent', detail: 'pinch has no payer for this customer' }
  const method = toSummary(details)
  // Names beside the payer's id are an error, so that they are not sent.
  if (kind === 'card') return prepareCharge(context, order, { path: '/payments/realtime', body: { payerId, sourceId }, method })
  const transactionDate = dayInSydney(context.now)
  return prepareCharge(context, order, { path: '/payments', body: { payerId, sourceId, transactionDate }, method })
}

/** The day on which an instant falls in Sydney, where Pinch's days are: YYYY-MM-DD. */
export const dayInSydney = (now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' }).format(now)

/**
 * Prepares a charge of a card that is not to be kept, by the token that Pinch's script made of the card in the browser. With the charge,
 * Pinch makes a payer of the name and the email address. A decline where one of these is missing, or `typedMethod` is no such token.
 */
export const prepareNewCardCharge = async (
  context: PinchContext,
  order: ChargeOrder,
  { typedMethod, holder = '', email = '' }: NewCard,
): Promise<PreparedCharge | NotPrepared> => {
  if (typedMethod.kind !== 'token' || !isBrowserToken(typedMethod.token)) return declineTypedMethod('no-token')
  const fullName = withoutCodes(holder)
  if (fullName === '' || email === '') return missingPayerDecline()
  return prepareCharge(context, order, { path: '/payments/realtime', body: { fullName, email, token: typedMethod.token } })
}
