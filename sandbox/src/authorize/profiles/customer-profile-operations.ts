import { AuthorizeError, notFound } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, listOf, textOf, withoutUndefined } from '../api/fields.ts'
import type { Operation, OperationCall } from '../api/operation.ts'
import { BOOLEAN, DIGITS, mandatory, text } from '../api/schema.ts'
import { CHANGED_CUSTOMER_PROFILE, NEW_CUSTOMER_PROFILE, requestShape, VALIDATION_MODE } from '../api/shapes.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { type CustomerProfile, emitCustomer, emitPaymentProfile, paymentProfilesOf, shownPaymentProfile } from './profile.ts'
import { parsePaymentProfile, putPaymentProfile } from './store-payment-profile.ts'
import { validatePaymentProfile } from './validation.ts'

const EMPTY_LISTS = { customerPaymentProfileIdList: [], customerShippingAddressIdList: [], validationDirectResponseList: [] }

/** The merchant's id, description and email address of a request's profile; undefined where absent. */
const describedCustomer = (typed: Fields | undefined): Omit<CustomerProfile, 'id' | 'object'> => ({
  merchantCustomerId: textOf(typed, 'merchantCustomerId'),
  description: textOf(typed, 'description'),
  email: textOf(typed, 'email'),
})

/**
 * Stores a customer with payment methods that pass the validation, and queues the events.
 * @throws AuthorizeError when the customer has no field, equals another customer, or a method is not accepted
 */
const createProfile = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const typed = fieldsOf(request, 'profile')
  const customer = describedCustomer(typed)
  if (Object.values(customer).every((value) => value === undefined))
    throw new AuthorizeError('E00041', 'One or more fields in the profile must contain a value.')
  const same = session.all<CustomerProfile>('customer_profile').find((other) => isSameCustomer(other, customer))
  if (same !== undefined) throw new AuthorizeError('E00039', `A duplicate record with ID ${same.id} already exists.`, EMPTY_LISTS)
  const profiles = listOf(typed, 'paymentProfiles').map((profile) => parsePaymentProfile(session, profile))
  const mode = textOf(request, 'validationMode') ?? 'none'
  const responses = profiles.flatMap(
    (profile) =>
      validatePaymentProfile(session, { mode, customer, profile, forcedOutcome }, (directResponse) => ({
        ...EMPTY_LISTS,
        validationDirectResponseList: [directResponse],
      })) ?? [],
  )
  const stored = session.put<CustomerProfile>({ ...customer, id: session.newId(), object: 'customer_profile' })
  const methods = profiles.map((profile) => putPaymentProfile(session, { ...profile, id: session.newId(), customerProfileId: stored.id }))
  emitCustomer(session, 'customer.created', stored)
  for (const method of methods) emitPaymentProfile(session, 'customer.paymentProfile.created', method)
  return {
    customerProfileId: stored.id,
    customerPaymentProfileIdList: methods.map(({ id }) => id),
    customerShippingAddressIdList: [],
    validationDirectResponseList: responses,
  }
}

/** Whether two profiles have the same merchant's id, description and email address, which makes the second one a duplicate. */
const isSameCustomer = (one: CustomerProfile, other: Omit<CustomerProfile, 'id' | 'object'>): boolean =>
  one.merchantCustomerId === other.merchantCustomerId && one.description === other.description && one.email === other.email

/**
 * The customer with the id of the request, else with its merchant's id, else with its email address.
 * @throws AuthorizeError with E00040 when there is none
 */
const getCustomer = (session: AuthorizeSession, request: Fields): CustomerProfile => {
  const id = textOf(request, 'customerProfileId')
  if (id !== undefined) return session.get<CustomerProfile>('customer_profile', id)
  const [merchantCustomerId, email] = [textOf(request, 'merchantCustomerId'), textOf(request, 'email')]
  const customer = session
    .all<CustomerProfile>('customer_profile')
    .find((one) =>
      merchantCustomerId === undefined ? email !== undefined && one.email === email : one.merchantCustomerId === merchantCustomerId,
    )
  if (customer === undefined) throw notFound()
  return customer
}

/** The response with a customer and all masked payment methods. */
const getProfile = ({ session, request }: OperationCall): Fields => {
  const customer = getCustomer(session, request)
  const showsExpiration = textOf(request, 'unmaskExpirationDate') === 'true'
  const methods = paymentProfilesOf(session, customer.id).map((profile) => shownPaymentProfile(profile, showsExpiration))
  return {
    profile: withoutUndefined({
      paymentProfiles: methods.length === 0 ? undefined : methods,
      customerProfileId: customer.id,
      merchantCustomerId: customer.merchantCustomerId,
      description: customer.description,
      email: customer.email,
    }),
  }
}

/** Replaces the customer's three fields, also by nothing where the request has none, and queues the event. */
const updateProfile = ({ session, request }: OperationCall): Fields => {
  const typed = fieldsOf(request, 'profile')
  const { id, object } = session.get<CustomerProfile>('customer_profile', textOf(typed, 'customerProfileId') ?? '')
  emitCustomer(session, 'customer.updated', session.put<CustomerProfile>({ ...describedCustomer(typed), id, object }))
  return {}
}

/** Removes a customer with all payment methods; only the customer's event is queued. */
const deleteProfile = ({ session, request }: OperationCall): Fields => {
  const customer = session.get<CustomerProfile>('customer_profile', textOf(request, 'customerProfileId') ?? '')
  for (const { id } of paymentProfilesOf(session, customer.id)) session.remove(id)
  session.remove(customer.id)
  emitCustomer(session, 'customer.deleted', customer)
  return {}
}

export const customerProfileOperations: readonly Operation[] = [
  {
    name: 'createCustomerProfileRequest',
    shape: requestShape({ profile: mandatory(NEW_CUSTOMER_PROFILE), validationMode: VALIDATION_MODE }),
    faultOperation: (request) => (listOf(fieldsOf(request, 'profile'), 'paymentProfiles').length === 0 ? 'customer' : 'store'),
    forcedOutcomes: ['decline'],
    handle: createProfile,
  },
  {
    name: 'getCustomerProfileRequest',
    shape: requestShape({
      customerProfileId: DIGITS,
      merchantCustomerId: text(20),
      email: text(255),
      unmaskExpirationDate: BOOLEAN,
      includeIssuerInfo: BOOLEAN,
    }),
    faultOperation: () => 'customer',
    handle: getProfile,
  },
  {
    name: 'getCustomerProfileIdsRequest',
    shape: requestShape(),
    faultOperation: () => 'customer',
    handle: ({ session }) => ({
      ids: session
        .all('customer_profile')
        .map(({ id }) => id)
        .toReversed(),
    }),
  },
  {
    name: 'updateCustomerProfileRequest',
    shape: requestShape({ profile: mandatory(CHANGED_CUSTOMER_PROFILE) }),
    faultOperation: () => 'customer',
    handle: updateProfile,
  },
  {
    name: 'deleteCustomerProfileRequest',
    shape: requestShape({ customerProfileId: mandatory(DIGITS) }),
    faultOperation: () => 'customer',
    handle: deleteProfile,
  },
]
