import { randomUUID } from 'node:crypto'
import { type Fields, objectField, requiredText, textField } from '../api/fields.ts'
import { notFound, validationError } from '../api/nexio-error.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import { cardTypeOf, requireCardNumber } from './card-numbers.ts'

/** A stored card. Its number and security code are not stored. */
export interface SavedCard {
  /** The token. */
  readonly id: string
  readonly object: 'card'
  readonly merchantId: string
  readonly firstSix: string
  readonly lastFour: string
  readonly cardType: string
  readonly expirationMonth: string
  readonly expirationYear: string
  readonly cardHolderName: string
  readonly customer: Fields
  readonly shouldUpdateCard: boolean
  readonly createdAt: number
  readonly changedAt: number
  /** The bank asks for 3-D Secure, whatever the request says. */
  readonly alwaysAuthenticates: boolean
}

const AUTHENTICATING_NUMBER = '4000000000003220'

interface NewCard {
  readonly number: string
  readonly merchantId: string
  /** The request's `card`. */
  readonly fields: Fields
  readonly customer: Fields
  readonly shouldUpdateCard?: boolean
}

/**
 * Makes a card with a new token. The caller stores it.
 * @throws NexioError when the number or the expiry is not valid, or the name on the card is missing
 */
export const newCard = (session: NexioSession, { number, merchantId, fields, customer, shouldUpdateCard = true }: NewCard): SavedCard => {
  requireCardNumber(number)
  return {
    id: randomUUID(),
    object: 'card',
    merchantId,
    firstSix: number.slice(0, 6),
    lastFour: number.slice(-4),
    cardType: cardTypeOf(number),
    ...expiryOf(fields),
    cardHolderName: requiredText(fields, 'cardHolderName', 'card.cardHolderName'),
    customer,
    shouldUpdateCard,
    createdAt: session.now,
    changedAt: session.now,
    alwaysAuthenticates: number === AUTHENTICATING_NUMBER,
  }
}

/** A stored card by its token. @throws NexioError when the account has no such card */
export const getCard = (session: NexioSession, token: string): SavedCard => {
  const card = session.find<SavedCard>('card', token)
  if (card === undefined) throw notFound('Card token not found')
  return card
}

/**
 * Stores the card with the request's expiry, name and customer; what the request leaves out stays.
 * @throws NexioError when a field is not valid
 */
export const updateCard = (session: NexioSession, card: SavedCard, body: Fields): SavedCard => {
  const fields = { ...card, ...objectField(body, 'card') }
  const { shouldUpdateCard } = body
  return session.put({
    ...card,
    ...expiryOf(fields),
    cardHolderName: requiredText(fields, 'cardHolderName', 'card.cardHolderName'),
    customer: { ...card.customer, ...objectField(objectField(body, 'data'), 'customer') },
    shouldUpdateCard: typeof shouldUpdateCard === 'boolean' ? shouldUpdateCard : card.shouldUpdateCard,
    changedAt: session.now,
  })
}

/**
 * The expiration month and year as they were written; a past date is accepted.
 * @throws NexioError when the month or the year is not valid
 */
const expiryOf = (fields: Fields): { readonly expirationMonth: string; readonly expirationYear: string } => {
  const expirationMonth = textField(fields, 'expirationMonth') ?? ''
  const expirationYear = textField(fields, 'expirationYear') ?? ''
  if (!/^(0?[1-9]|1[0-2])$/.test(expirationMonth)) throw validationError('"card.expirationMonth" must be a month from 1 to 12')
  if (!/^(\d\d|20\d\d)$/.test(expirationYear)) throw validationError('"card.expirationYear" must be a year')
  return { expirationMonth, expirationYear }
}

/** Whether a card's last month has ended everywhere on earth. */
export const hasExpired = ({ expirationMonth, expirationYear }: SavedCard, now: number): boolean =>
  Date.UTC(2000 + (Number(expirationYear) % 100), Number(expirationMonth)) + 86_400_000 <= now

/** The `token` of a response: the card's token, first six and last four digits, and type. */
export const cardToken = ({ id, firstSix, lastFour, cardType }: SavedCard): object => ({ firstSix, lastFour, token: id, cardType })
