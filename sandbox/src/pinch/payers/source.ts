import { type Fields, textField } from '../api/fields.ts'
import { validationError } from '../api/pinch-error.ts'
import { newId } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import { type CardToken, getToken } from '../tokens/card-token.ts'

/** A card or a bank account of a payer, as responses show it. */
export interface Source {
  readonly id: string
  readonly sourceType: CardToken['sourceType']
  readonly bankAccountNumber: string | null
  readonly bankAccountBsb: string | null
  readonly bankAccountName: string | null
  readonly creditCardToken: string | null
  readonly cardHolderName: string | null
  readonly expiryDate: string | null
  readonly displayCardNumber: string | null
  readonly cardScheme: string | null
  readonly origin: string
  readonly funding: string | null
}

/** A new source from a token, not stored yet. */
export const sourceOf = (token: CardToken): Source => ({
  id: newId('src'),
  sourceType: token.sourceType,
  bankAccountNumber: token.bankAccountNumber,
  bankAccountBsb: token.bankAccountBsb,
  bankAccountName: token.bankAccountName,
  creditCardToken: token.sourceType === 'credit-card' ? token.id : null,
  cardHolderName: token.cardHolderName,
  expiryDate: token.expiryDate,
  displayCardNumber: token.displayCardNumber,
  cardScheme: token.cardScheme,
  origin: token.origin,
  funding: token.sourceType === 'credit-card' ? 'credit' : null,
})

/** The source that a request describes, a token or a bank account in clear, not stored yet. @throws PinchError when it is not valid */
export const newSource = (session: PinchSession, fields: Fields): Source => {
  const sourceType = textField(fields, 'sourceType')
  const token = textField(fields, 'token') ?? textField(fields, 'creditCardToken')
  if (sourceType !== 'credit-card' && sourceType !== 'bank-account')
    throw validationError('SourceType', 'Source type must be credit-card or bank-account.')
  if (token !== undefined) return sourceOf(getToken(session, token, sourceType))
  const [name, bsb, number] = ['bankAccountName', 'bankAccountBsb', 'bankAccountNumber'].map((field) => textField(fields, field))
  if (sourceType === 'credit-card') throw validationError('Token', "'Token' must not be empty.")
  if (name === undefined || bsb === undefined || number === undefined)
    throw validationError('BankAccountNumber', 'Supply name, BSB and number of the bank account.')
  return {
    id: newId('src'),
    sourceType,
    bankAccountNumber: number,
    bankAccountBsb: bsb,
    bankAccountName: name,
    creditCardToken: null,
    cardHolderName: null,
    expiryDate: null,
    displayCardNumber: null,
    cardScheme: null,
    origin: 'AU',
    funding: null,
  }
}
