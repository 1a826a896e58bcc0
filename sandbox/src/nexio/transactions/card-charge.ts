import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { ApiRequest } from '../api/endpoint.ts'
import { type Fields, objectField, textField } from '../api/fields.ts'
import { currencyOf, toMinor } from '../store/amounts.ts'
import { cardToken, hasExpired, type SavedCard } from '../vault/saved-card.ts'
import { askForAuthentication } from './authentication.ts'
import { amountDecline, asksForAuthentication, causesTimeout, checkCard, unverifiedCodeDecline } from './bank-answers.ts'
import { answerCharge, type Charge } from './charge.ts'
import { type Decline, gatewayDecline } from './decline.ts'
import type { ChargedMethod } from './transaction.ts'

const DEFAULT_CURRENCY = 'USD'

/** The amount and the currency of a request's `data`. @throws NexioError when they are not valid */
export const amountAndCurrency = (data: Fields): { readonly amount: number; readonly currency: string } => {
  const currency = currencyOf(textField(data, 'currency') ?? DEFAULT_CURRENCY)
  return { amount: toMinor(data['amount'], currency), currency }
}

/**
 * Charges the card as a request of `/process` says, or asks the customer for 3-D Secure. A declined charge is stored, too.
 * @throws NexioError when the request is not valid, the charge is declined or the gateway does not answer in time
 */
export const chargeCard = ({ session, body, forcedOutcome }: ApiRequest, card: SavedCard): object => {
  const options = objectField(body, 'processingOptions')
  const data = objectField(body, 'data')
  const charge = cardCharge(session.now, body, card)
  if (forcedOutcome === 'script-action') return { status: 'challenge', sessionId: card.id }
  if (forcedOutcome === 'decline') return answerCharge(session, { ...charge, decline: gatewayDecline() })
  if (needsAuthentication(card, { options, data, forcedOutcome }))
    return askForAuthentication(session, { charge, transactionId: null, returnUrl: textField(options, 'customerRedirectUrl') ?? null })
  return answerCharge(session, charge)
}

interface AuthenticationInput {
  readonly options: Fields
  readonly data: Fields
  readonly forcedOutcome: ForcedOutcome | undefined
}

/** Whether the customer must go to the bank's page: by a fault, by the card, or by the request. */
const needsAuthentication = (card: SavedCard, { options, data, forcedOutcome }: AuthenticationInput): boolean =>
  forcedOutcome === 'action' || card.alwaysAuthenticates || asksForAuthentication(options, data)

/**
 * The charge of a request with the bank's answer, not made yet. The first decline found counts: checks, code, expiry, amount.
 * @throws NexioError when amount or currency is not valid
 */
const cardCharge = (now: number, body: Fields, card: SavedCard): Charge => {
  const options = objectField(body, 'processingOptions')
  const data = objectField(body, 'data')
  const customer = { ...card.customer, ...objectField(data, 'customer') }
  const securityCode = textField(objectField(body, 'card'), 'securityCode')
  const { results, decline } = checkCard({ options, securityCode, customer })
  const { amount, currency } = amountAndCurrency(data)
  return {
    merchantId: card.merchantId,
    amount,
    currency,
    method: chargedCard(card, textField(objectField(body, 'card'), 'cardHolderName')),
    data,
    isAuthOnly: body['isAuthOnly'] === true,
    paymentOptionTag: textField(options, 'paymentOptionTag') ?? null,
    results,
    decline: decline ?? unverifiedCodeDecline(securityCode) ?? expiryDecline(card, now) ?? amountDecline(amount),
    timesOut: causesTimeout(amount),
  }
}

/** The bank's decline of an expired card; undefined for any other card. */
const expiryDecline = (card: SavedCard, now: number): Decline | undefined =>
  hasExpired(card, now) ? gatewayDecline('Expired card') : undefined

/** The card as responses show it, masked; a name in the request replaces the stored one. */
const chargedCard = (card: SavedCard, cardHolder = card.cardHolderName): ChargedMethod => {
  const { firstSix, lastFour, expirationYear, expirationMonth, cardType } = card
  const cardNumber = `${firstSix}******${lastFour}`
  return {
    kind: 'card',
    cardHolder,
    cardNumber,
    cardType,
    shown: { cardNumber, expirationYear, expirationMonth, cardHolder },
    token: cardToken(card),
  }
}
