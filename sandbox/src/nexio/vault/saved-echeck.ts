import { randomUUID } from 'node:crypto'
import { type Fields, requiredText } from '../api/fields.ts'
import { notFound, validationError } from '../api/nexio-error.ts'
import type { NexioSession } from '../store/nexio-session.ts'

/** A stored bank account. Its number is not stored. */
export interface SavedECheck {
  /** The token. */
  readonly id: string
  readonly object: 'echeck'
  readonly merchantId: string
  readonly lastFour: string
  readonly routingNumber: string
  readonly accountHolderName: string
  readonly customer: Fields
  readonly createdAt: number
}

interface NewECheck {
  readonly number: string
  readonly merchantId: string
  /** The request's `bank`. */
  readonly fields: Fields
  readonly customer: Fields
}

/**
 * A bank account with a new token, of whose number the last four digits remain; not stored yet.
 * @throws NexioError when a number is not valid or the name is missing
 */
export const newECheck = (session: NexioSession, { number, merchantId, fields, customer }: NewECheck): SavedECheck => {
  if (!/^\d{4,17}$/.test(number)) throw validationError('The bank account number is not valid')
  const routingNumber = requiredText(fields, 'routingNumber', 'bank.routingNumber')
  if (!/^\d{9}$/.test(routingNumber)) throw validationError('"bank.routingNumber" must have nine digits')
  return {
    id: randomUUID(),
    object: 'echeck',
    merchantId,
    lastFour: number.slice(-4),
    routingNumber,
    accountHolderName: requiredText(fields, 'accountHolderName', 'bank.accountHolderName'),
    customer,
    createdAt: session.now,
  }
}

/** A stored bank account by its token. @throws NexioError when the account has no such bank account */
export const getECheck = (session: NexioSession, token: string): SavedECheck => {
  const echeck = session.find<SavedECheck>('echeck', token)
  if (echeck === undefined) throw notFound('Echeck token not found')
  return echeck
}
