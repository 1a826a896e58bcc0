import { type ApiRequest, type Endpoint, okResponse } from '../api/endpoint.ts'
import { textField, wholeField } from '../api/fields.ts'
import { validationError } from '../api/pinch-error.ts'
import { newId } from '../store/ids.ts'
import type { CardToken } from './card-token.ts'
import { countryOfCard, schemeOfCard } from './test-cards.ts'

/** Stores a token of the card or the bank account that a browser has entered. @throws PinchError when a field is not valid */
const createToken = (request: ApiRequest) => {
  const isBank = textField(request.body, 'sourceType') === 'bank-account' || textField(request.body, 'bankAccountNumber') !== undefined
  const token = request.session.put(isBank ? bankToken(request) : cardToken(request))
  const { cardHolderName, displayCardNumber, expiryDate, cardScheme, origin } = token
  if (isBank) return okResponse({ token: token.id, bankAccountName: token.bankAccountName, origin })
  return okResponse({ token: token.id, cardHolderName, displayCardNumber, expiryDate: `${expiryDate}Z`, cardScheme, origin })
}

const NO_BANK = { bankAccountName: null, bankAccountBsb: null, bankAccountNumber: null }
const NO_CARD = { cardHolderName: null, displayCardNumber: null, expiryDate: null, cardScheme: null }

/** A token of the body's card, not stored yet. @throws PinchError when a field is not valid, or the number is no test card's */
const cardToken = ({ session, body }: ApiRequest): CardToken => {
  const number = (textField(body, 'cardNumber') ?? '').replaceAll(/[ -]/g, '')
  const [month = 0, year = 0] = [wholeField(body, 'expiryMonth'), wholeField(body, 'expiryYear')]
  const holder = textField(body, 'cardHolderName')
  const origin = countryOfCard(number)
  if (!/^\d{13,19}$/.test(number)) throw validationError('CardNumber', 'Card number is not a valid credit card number.')
  if (origin === undefined)
    throw validationError('CardNumber', 'Not a valid test card number. Please use one of the cards of the documentation.')
  if (month > 12 || Date.UTC(year, month) <= session.now) throw validationError('ExpiryMonth', 'The card has expired.')
  if (!/^\d{3,4}$/.test(textField(body, 'cvc') ?? '')) throw validationError('Cvc', 'CVC is not valid.')
  if (holder === undefined) throw validationError('CardHolderName', "'Card Holder Name' must not be empty.")
  return {
    ...NO_BANK,
    id: newId('tkn', 28),
    object: 'token',
    sourceType: 'credit-card',
    cardHolderName: holder,
    displayCardNumber: number.slice(-4),
    expiryDate: `${year}-${String(month).padStart(2, '0')}-01T00:00:00`,
    cardScheme: schemeOfCard(number),
    origin,
  }
}

/** A token of the body's bank account with its whole number, not stored yet. @throws PinchError when a field is not valid */
const bankToken = ({ body }: ApiRequest): CardToken => {
  const bsb = (textField(body, 'bankAccountRouting') ?? textField(body, 'bankAccountBsb') ?? '').replaceAll('-', '')
  const number = textField(body, 'bankAccountNumber') ?? ''
  const name = textField(body, 'bankAccountName')
  if (name === undefined) throw validationError('BankAccountName', "'Bank Account Name' must not be empty.")
  if (!/^\d{6}$/.test(bsb)) throw validationError('BankAccountRouting', 'BSB must be 6 digits.')
  if (!/^\d{5,10}$/.test(number)) throw validationError('BankAccountNumber', 'Account number is not valid.')
  return {
    ...NO_CARD,
    id: newId('tkn', 28),
    object: 'token',
    sourceType: 'bank-account',
    bankAccountName: name,
    bankAccountBsb: bsb,
    bankAccountNumber: number,
    origin: 'AU',
  }
}

/** `/tokens`: what a browser sends, with a publishable key. */
export const tokenEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/tokens', operation: 'tokenize', isPublic: true, handle: createToken },
]
