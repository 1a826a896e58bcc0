import { createHash } from 'node:crypto'
import type { StoredObject } from '../../kit/object-store.ts'
import type { IPpaySession } from '../store/ippay-session.ts'

/** What a token stands for. */
export interface Token extends StoredObject {
  readonly object: 'token'
  readonly token: string
  readonly kind: 'card' | 'bank'
  /** A test card or test account. */
  readonly number: string
  readonly month: string | null
  readonly year: string | null
  readonly aba: string | null
}

const LETTERS = 'ABCDEFGHJKLM'

/**
 * The token of a number, of the same length: the first digit of a card stays, and the last four digits. The same number always gives the
 * same token.
 */
const maskNumber = (kind: Token['kind'], number: string): string => {
  const hash = createHash('sha256').update(`${kind} ${number}`).digest()
  const kept = kind === 'card' ? 1 : 0
  const middle = Array.from({ length: number.length - 4 - kept }, (_, at) => {
    const value = hash[at % hash.length] ?? 0
    return at % 2 === 0 ? LETTERS[value % LETTERS.length] : String(value % 10)
  })
  return number.slice(0, kept) + middle.join('') + number.slice(-4)
}

/** The id under which a token is stored. */
const keyOf = (token: string): string => `token:${token}`

/** The stored card or account of a token; undefined when the terminal has none. */
export const findToken = (session: IPpaySession, token: string): Token | undefined => session.find<Token>('token', keyOf(token))

/** Stores a card with its whole number under its token; a later expiry date replaces the earlier one. */
export const storeCard = (session: IPpaySession, number: string, expiry: { month: string; year: string }): Token => {
  const token = maskNumber('card', number)
  return session.put<Token>({ id: keyOf(token), object: 'token', token, kind: 'card', number, ...expiry, aba: null })
}

/** Stores a bank account with its whole number under its token. */
export const storeAccount = (session: IPpaySession, number: string, aba: string): Token => {
  const token = maskNumber('bank', number)
  return session.put<Token>({ id: keyOf(token), object: 'token', token, kind: 'bank', number, month: null, year: null, aba })
}
