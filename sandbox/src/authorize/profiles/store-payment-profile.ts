import { AuthorizeError } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { Instrument } from '../payment-methods/instrument.ts'
import { takeInstrument } from '../payment-methods/payment-nonces.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { type PaymentProfile, paymentProfilesOf } from './profile.ts'

const MAX_PAYMENT_PROFILES = 10

/** A method as a request describes it, not yet stored. */
export interface NewPaymentProfile {
  readonly customerType?: string | undefined
  readonly billTo?: Fields | undefined
  readonly isDefault: boolean
  readonly instrument: Instrument
}

/**
 * The payment method that a request describes, not stored; a nonce is used up.
 * @throws AuthorizeError when the request has no instrument, or an unusable nonce
 */
export const parsePaymentProfile = (session: AuthorizeSession, typed: Fields): NewPaymentProfile => {
  const instrument = takeInstrument(session, fieldsOf(typed, 'payment'))
  if (instrument === undefined) throw new AuthorizeError('E00029', 'Payment information is required.')
  return { ...parseProfileFields(typed), instrument }
}

/** The customer type, the billing address, and whether it becomes the default method, as they were sent: nothing is checked. */
export const parseProfileFields = (typed: Fields): Omit<NewPaymentProfile, 'instrument'> => ({
  customerType: textOf(typed, 'customerType'),
  billTo: fieldsOf(typed, 'billTo'),
  isDefault: textOf(typed, 'defaultPaymentProfile') === 'true',
})

/**
 * Checks that the customer may store the method.
 * @throws AuthorizeError E00039 with the existing ids for a duplicate, E00042 for too many
 */
export const assertCanStore = (session: AuthorizeSession, customerProfileId: string, { instrument, billTo }: NewPaymentProfile): void => {
  const existing = paymentProfilesOf(session, customerProfileId)
  const same = existing.find(
    (profile) =>
      profile.instrument.fingerprint === instrument.fingerprint && JSON.stringify(profile.billTo ?? {}) === JSON.stringify(billTo ?? {}),
  )
  if (same !== undefined)
    throw new AuthorizeError('E00039', 'A duplicate customer payment profile already exists.', {
      customerProfileId,
      customerPaymentProfileId: same.id,
    })
  if (existing.length >= MAX_PAYMENT_PROFILES)
    throw new AuthorizeError('E00042', `You cannot add more than ${MAX_PAYMENT_PROFILES} payment profiles.`)
}

/** Stores a new or changed payment method without checks. A default method takes that place from the customer's former one. */
export const putPaymentProfile = (
  session: AuthorizeSession,
  fields: NewPaymentProfile & Pick<PaymentProfile, 'id' | 'customerProfileId'>,
): PaymentProfile => {
  if (fields.isDefault)
    for (const other of paymentProfilesOf(session, fields.customerProfileId))
      if (other.isDefault && other.id !== fields.id) session.put<PaymentProfile>({ ...other, isDefault: false })
  return session.put<PaymentProfile>({ ...fields, object: 'payment_profile' })
}
