import type { TokenRequest } from '../api/endpoint.ts'
import { type Fields, objectField, textField } from '../api/fields.ts'
import { declinedError, validationError } from '../api/nexio-error.ts'
import { checkCard } from '../transactions/bank-answers.ts'
import type { CheckResults } from '../transactions/decline.ts'
import { cardTypeOf } from './card-numbers.ts'
import { withTokenDefaults } from './one-time-tokens.ts'
import { cardToken, newCard, type SavedCard } from './saved-card.ts'
import { newECheck, type SavedECheck } from './saved-echeck.ts'

/** A request, and the number of its card or bank account in clear. */
export interface RequestWithNumber {
  readonly request: TokenRequest
  readonly number: string
}

/** The customer of the request, with what the request that made the token says of it. */
const customerOf = ({ token, body }: TokenRequest): Fields => objectField(withTokenDefaults(token, body, 'data'), 'customer')

/**
 * The card that a request describes, with a new random token. It is not stored yet.
 * @throws NexioError when it is not valid or its card type is not allowed
 */
export const parseCard = ({ request, number }: RequestWithNumber): SavedCard => {
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
 * Stores the card that a request describes, queues the event and returns the body of the answer.
 * @throws NexioError when it is not valid, or its security code or address is declined
 */
export const saveCard = (input: RequestWithNumber): object => {
  const { request } = input
  const card = parseCard(input)
  const securityCode = textField(withTokenDefaults(request.token, request.body, 'card'), 'securityCode')
  const options = withTokenDefaults(request.token, request.body, 'processingOptions')
  const { results, decline } = checkCard({ options, securityCode, customer: card.customer })
  if (decline !== undefined) throw declinedError(decline, { merchantId: card.merchantId, refNumber: card.id })
  return storeCard(request, card, results)
}

/** Stores the card, queues the event and returns the body of the answer. */
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

/** The bank account that a request describes, with a new random token. It is not stored yet. @throws NexioError when it is not valid */
export const parseECheck = ({ request, number }: RequestWithNumber): SavedECheck =>
  newECheck(request.session, {
    number,
    merchantId: request.token.merchantId,
    fields: objectField(request.body, 'bank'),
    customer: customerOf(request),
  })

/**
 * Stores the bank account that a request describes, queues the event and returns the body of the answer.
 * @throws NexioError when it is not valid
 */
export const saveECheck = (input: RequestWithNumber): object => {
  const { session, token, body } = input.request
  const echeck = session.put(parseECheck(input))
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
