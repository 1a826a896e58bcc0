import type { TokenRequest } from '../api/endpoint.ts'
import { type Fields, objectField, textField } from '../api/fields.ts'
import { declinedError, validationError } from '../api/nexio-error.ts'
import { checkCard } from '../transactions/bank-answers.ts'
import type { CheckResults } from '../transactions/decline.ts'
import { cardTypeOf } from './card-numbers.ts'
import { withTokenDefaults } from './one-time-tokens.ts'
import { cardToken, newCard, type SavedCard } from './saved-card.ts'
import { newECheck, type SavedECheck } from './saved-echeck.ts'

/** A request with the card's number in clear. */
export interface NumberedRequest {
  readonly request: TokenRequest
  readonly number: string
}

const customerOf = ({ token, body }: TokenRequest): Fields => objectField(withTokenDefaults(token, body, 'data'), 'customer')

/**
 * The card of the request, not stored yet.
 * @throws NexioError when it is not valid or its card type is not allowed
 */
export const cardOf = ({ request, number }: NumberedRequest): SavedCard => {
  const { session, token, body } = request
  const { allowedCardTypes } = objectField(token.request, 'data')
  if (Array.isArray(allowedCardTypes) && !allowedCardTypes.includes(cardTypeOf(number))) throw validationError('Card type is not allowed')
  return newCard(session, {
    number,
    merchantId: token.merchantId,
    fields: withTokenDefaults(token, body, 'card'),
    customer: customerOf(request),
    shouldUpdateCard: body['shouldUpdateCard'] !== false,
  })
}

/**
 * Stores the card of the request.
 * @throws NexioError when it is not valid, or its security code or address is declined
 */
export const saveCard = (input: NumberedRequest): object => {
  const { request } = input
  const card = cardOf(input)
  const securityCode = textField(withTokenDefaults(request.token, request.body, 'card'), 'securityCode')
  const options = withTokenDefaults(request.token, request.body, 'processingOptions')
  const { results, decline } = checkCard({ options, securityCode, customer: card.customer })
  if (decline !== undefined) throw declinedError(decline, { merchantId: card.merchantId, refNumber: card.id })
  return storeCard(request, card, results)
}

const storeCard = ({ session, token, body }: TokenRequest, card: SavedCard, results: CheckResults): object => {
  const { merchantId, expirationMonth, expirationYear, cardHolderName, cardType } = session.put(card)
  const answer = {
    merchantId,
    card: { expirationMonth, expirationYear, cardHolderName, cardType },
    token: cardToken(card),
    data: withTokenDefaults(token, body, 'data'),
    shouldUpdateCard: card.shouldUpdateCard,
    cardType,
    ...results,
  }
  session.emit({ type: 'CARD_SAVED', merchantId, data: answer })
  return answer
}

/** The bank account of the request, not stored yet. @throws NexioError when it is not valid */
export const echeckOf = ({ request, number }: NumberedRequest): SavedECheck =>
  newECheck(request.session, {
    number,
    merchantId: request.token.merchantId,
    fields: objectField(request.body, 'bank'),
    customer: customerOf(request),
  })

/** Stores the bank account of the request. @throws NexioError when it is not valid */
export const saveECheck = (input: NumberedRequest): object => {
  const { session, token, body } = input.request
  const echeck = session.put(echeckOf(input))
  const { id, merchantId, accountHolderName, routingNumber, lastFour } = echeck
  const answer = {
    merchantId,
    bank: { accountHolderName, routingNumber },
    token: { lastFour, token: id },
    data: withTokenDefaults(token, body, 'data'),
  }
  session.emit({ type: 'ECHECK_SAVED', merchantId, data: answer })
  return answer
}
