import { AuthorizeError } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import type { StoredObject } from '../../kit/object-store.ts'
import { type Instrument, parseInstrument } from './instrument.ts'

/** A card or bank account that the browser sent, behind a random name. */
export interface PaymentNonce extends StoredObject {
  readonly object: 'payment_nonce'
  readonly instrument: Instrument
  /** The end of its validity, in milliseconds. */
  readonly expiresAt: number
}

/** `dataDescriptor` of every nonce. */
export const NONCE_DESCRIPTOR = 'COMMON.ACCEPT.INAPP.PAYMENT'

/**
 * The instrument of `payment`: typed in, or behind a nonce, which is then used up. Undefined when there is none.
 * @throws AuthorizeError with E00114 when the nonce is unknown, used or too old
 */
export const takeInstrument = (session: AuthorizeSession, payment: Fields | undefined): Instrument | undefined => {
  const opaque = fieldsOf(payment, 'opaqueData')
  if (opaque === undefined) return parseInstrument(payment)
  const nonce = session.find<PaymentNonce>('payment_nonce', textOf(opaque, 'dataValue') ?? '')
  if (nonce === undefined || nonce.expiresAt <= session.now || textOf(opaque, 'dataDescriptor') !== NONCE_DESCRIPTOR)
    throw new AuthorizeError('E00114', 'Invalid OTS Token.')
  session.remove(nonce.id)
  return nonce.instrument
}
