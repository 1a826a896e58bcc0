import type { PinchSession } from '../store/pinch-session.ts'
import { validationError } from '../api/pinch-error.ts'

/** A card or a bank account that a browser has entered. A card's number and security code are not stored; a bank account's number is. */
export interface CardToken {
  readonly id: string
  readonly object: 'token'
  readonly sourceType: 'credit-card' | 'bank-account'
  readonly cardHolderName: string | null
  readonly displayCardNumber: string | null
  /** The first day of the month. */
  readonly expiryDate: string | null
  readonly cardScheme: string | null
  readonly bankAccountName: string | null
  readonly bankAccountBsb: string | null
  readonly bankAccountNumber: string | null
  readonly origin: string
}

/** A stored token. @throws PinchError when there is no such token of this kind */
export const getToken = (session: PinchSession, id: string, sourceType: CardToken['sourceType']): CardToken => {
  const token = session.find<CardToken>('token', id)
  if (token?.sourceType !== sourceType) throw validationError('Token', `Could not find a token with Id: ${id}`)
  return token
}
