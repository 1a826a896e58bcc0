import { randomUUID } from 'node:crypto'
import { invalidFlow, notFound } from '../api/bpoint-error.ts'
import type { Bpoint } from '../bpoint.ts'
import type { PaymentMethod } from '../payment-methods/attached-method.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import type { TxnDetails } from '../transactions/txn-details.ts'

/** The details of the token that a key makes. */
interface TokenDetails {
  readonly crn1: string | null
  readonly crn2: string | null
  readonly crn3: string | null
  readonly emailAddress: string | null
}

/** A payment method that was attached to a key: sent as such, or a stored one by its token. */
interface Attached {
  readonly method: PaymentMethod
  readonly token: string | null
}

/** A key with which a browser attaches a payment method to what the server has fixed. It is processed once. */
export interface AuthKey {
  readonly id: string
  readonly object: 'authkey'
  readonly purpose: 'txn' | 'token'
  readonly txnDetails: TxnDetails | null
  readonly tokenDetails: TokenDetails | null
  /** The token that the key updates; null for a key that makes a new token. */
  readonly updatedToken: string | null
  readonly attached: Attached | null
  readonly isProcessed: boolean
}

/** Stores a new key without details and payment method. */
export const createAuthKey = (session: BpointSession, purpose: AuthKey['purpose'], updatedToken: string | null = null): AuthKey =>
  session.put<AuthKey>({
    id: randomUUID(),
    object: 'authkey',
    purpose,
    txnDetails: null,
    tokenDetails: null,
    updatedToken,
    attached: null,
    isProcessed: false,
  })

/**
 * Reads an auth key of the merchant.
 * @param mayBeProcessed whether a key that was processed is returned too
 * @throws BpointError when the merchant has no key of that id and purpose, or when the key was processed
 */
export const getAuthKey = (session: BpointSession, id: string, purpose: AuthKey['purpose'], mayBeProcessed = false): AuthKey => {
  const key = session.find<AuthKey>('authkey', id)
  if (key?.purpose !== purpose) throw notFound('Authkey')
  if (key.isProcessed && !mayBeProcessed) throw invalidFlow('The authkey has been processed already')
  return key
}

/** The merchant that owns an auth key, in whatever account the key is. @throws BpointError when no account has the key */
export const authKeyOf = (bpoint: Bpoint, id: string): { readonly account: string } => {
  const found = bpoint.findInAnyAccount<AuthKey>('authkey', id)
  if (found === undefined) throw notFound('Authkey')
  return found
}
