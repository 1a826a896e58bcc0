import { type Fields, withoutUndefined } from '../api/fields.ts'
import { type Instrument, maskedPayment } from '../payment-methods/instrument.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import type { StoredObject } from '../../kit/object-store.ts'

/** A customer. */
export interface CustomerProfile extends StoredObject {
  readonly object: 'customer_profile'
  readonly merchantCustomerId?: string | undefined
  readonly description?: string | undefined
  readonly email?: string | undefined
}

/** A card or bank account of a customer. */
export interface PaymentProfile extends StoredObject {
  readonly object: 'payment_profile'
  readonly customerProfileId: string
  readonly customerType?: string | undefined
  readonly billTo?: Fields | undefined
  readonly isDefault: boolean
  readonly instrument: Instrument
}

/** The payment methods of a customer, oldest first. */
export const paymentProfilesOf = (session: AuthorizeSession, customerProfileId: string): PaymentProfile[] =>
  session
    .all<PaymentProfile>('payment_profile')
    .filter((profile) => profile.customerProfileId === customerProfileId)
    .toReversed()

/** A payment profile in a response, with masked numbers; the expiration date is shown on demand. */
export const shownPaymentProfile = (profile: PaymentProfile, showsExpiration: boolean): Fields =>
  withoutUndefined({
    customerPaymentProfileId: profile.id,
    payment: maskedPayment(profile.instrument, showsExpiration),
    defaultPaymentProfile: profile.isDefault ? true : undefined,
    customerType: profile.customerType,
    customerTypeSpecified: profile.customerType !== undefined,
    billTo: profile.billTo,
  })

/** Queues the webhook event of a changed customer; `type` as in `customer.created`. */
export const emitCustomer = (session: AuthorizeSession, type: string, customer: CustomerProfile): void =>
  session.emit({
    type,
    payload: withoutUndefined({
      merchantCustomerId: customer.merchantCustomerId,
      description: customer.description,
      email: customer.email,
      paymentProfiles: paymentProfilesOf(session, customer.id).map(({ id, customerType }) => withoutUndefined({ id, customerType })),
      entityName: 'customerProfile',
      id: customer.id,
    }),
  })

/** Queues the webhook event of a changed payment method; `type` as in `customer.paymentProfile.created`. */
export const emitPaymentProfile = (
  session: AuthorizeSession,
  type: string,
  { id, customerProfileId, customerType }: PaymentProfile,
): void => session.emit({ type, payload: withoutUndefined({ customerProfileId, customerType, entityName: 'customerPaymentProfile', id }) })
