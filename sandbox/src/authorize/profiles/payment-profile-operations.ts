import { AuthorizeError, notFound } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { Operation, OperationCall } from '../api/operation.ts'
import { BOOLEAN, DIGITS, mandatory, text } from '../api/schema.ts'
import { CHANGED_PAYMENT_PROFILE, NEW_PAYMENT_PROFILE, requestShape, VALIDATION_MODE } from '../api/shapes.ts'
import { cvvResultOf } from '../payment-methods/cards.ts'
import { mergeInstrument } from '../payment-methods/instrument.ts'
import { takeInstrument } from '../payment-methods/payment-nonces.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { type CustomerProfile, emitPaymentProfile, type PaymentProfile, shownPaymentProfile } from './profile.ts'
import { assertCanStore, parseProfileFields, parsePaymentProfile, putPaymentProfile } from './store-payment-profile.ts'
import { validatePaymentProfile } from './validation.ts'

/**
 * Stores a payment method of an existing customer and queues the event.
 * @throws AuthorizeError for a duplicate, too many methods, or a method that the validation does not accept
 */
const createMethod = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const customer = session.get<CustomerProfile>('customer_profile', textOf(request, 'customerProfileId') ?? '')
  const profile = parsePaymentProfile(session, fieldsOf(request, 'paymentProfile') ?? {})
  assertCanStore(session, customer.id, profile)
  const mode = textOf(request, 'validationMode') ?? 'none'
  const validationDirectResponse = validatePaymentProfile(session, { mode, customer, profile, forcedOutcome }, (response) => ({
    customerProfileId: customer.id,
    validationDirectResponse: response,
  }))
  const stored = putPaymentProfile(session, { ...profile, id: session.newId(), customerProfileId: customer.id })
  emitPaymentProfile(session, 'customer.paymentProfile.created', stored)
  return {
    customerProfileId: customer.id,
    customerPaymentProfileId: stored.id,
    ...(validationDirectResponse === undefined ? {} : { validationDirectResponse }),
  }
}

/** The stored payment method with this id. @throws AuthorizeError with E00040 unless the method belongs to the customer of the request */
const getMethod = (session: AuthorizeSession, request: Fields, id: string | undefined): PaymentProfile => {
  const profile = session.find<PaymentProfile>('payment_profile', id ?? '')
  if (profile === undefined || profile.customerProfileId !== textOf(request, 'customerProfileId')) throw notFound()
  return profile
}

/** The stored payment method that the request's `customerPaymentProfileId` names. @throws AuthorizeError with E00040 as `getMethod` */
const namedMethod = ({ session, request }: OperationCall): PaymentProfile =>
  getMethod(session, request, textOf(request, 'customerPaymentProfileId'))

/** Replaces a stored payment method, once the validation accepts it, and queues the event. Masked numbers stay as before. */
const updateMethod = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const typed = fieldsOf(request, 'paymentProfile') ?? {}
  const before = getMethod(session, request, textOf(typed, 'customerPaymentProfileId'))
  const customer = session.get<CustomerProfile>('customer_profile', before.customerProfileId)
  const payment = fieldsOf(typed, 'payment')
  if (payment === undefined) throw new AuthorizeError('E00029', 'Payment information is required.')
  const instrument =
    fieldsOf(payment, 'opaqueData') === undefined
      ? mergeInstrument(before.instrument, payment)
      : (takeInstrument(session, payment) ?? before.instrument)
  const profile = { ...parseProfileFields(typed), instrument }
  const mode = textOf(request, 'validationMode') ?? 'none'
  const validationDirectResponse = validatePaymentProfile(session, { mode, customer, profile, forcedOutcome }, (response) => ({
    validationDirectResponse: response,
  }))
  const stored = putPaymentProfile(session, { ...profile, id: before.id, customerProfileId: before.customerProfileId })
  emitPaymentProfile(session, 'customer.paymentProfile.updated', stored)
  return validationDirectResponse === undefined ? {} : { validationDirectResponse }
}

/** Removes the request's payment profile and queues the event. @throws AuthorizeError with E00040 as `getMethod` */
const deleteMethod = (call: OperationCall): Fields => {
  const profile = namedMethod(call)
  call.session.remove(profile.id)
  emitPaymentProfile(call.session, 'customer.paymentProfile.deleted', profile)
  return {}
}

/**
 * The response of a check of a stored payment method with the request's card code; nothing is stored.
 * @throws AuthorizeError when the method is not accepted
 */
const validateMethod = (call: OperationCall): Fields => {
  const { session, request, forcedOutcome } = call
  const stored = namedMethod(call)
  const customer = session.get<CustomerProfile>('customer_profile', stored.customerProfileId)
  const { instrument } = stored
  const profile = {
    ...stored,
    instrument: instrument.kind === 'card' ? { ...instrument, cvv: cvvResultOf(textOf(request, 'cardCode')) } : instrument,
  }
  const mode = textOf(request, 'validationMode') ?? 'none'
  const directResponse = validatePaymentProfile(session, { mode, customer, profile, forcedOutcome }, (response) => ({
    directResponse: response,
  }))
  return directResponse === undefined ? {} : { directResponse }
}

const METHOD_IDS = { customerProfileId: mandatory(DIGITS), customerPaymentProfileId: mandatory(DIGITS) }

export const paymentProfileOperations: readonly Operation[] = [
  {
    name: 'createCustomerPaymentProfileRequest',
    shape: requestShape({
      customerProfileId: mandatory(DIGITS),
      paymentProfile: mandatory(NEW_PAYMENT_PROFILE),
      validationMode: VALIDATION_MODE,
    }),
    faultOperation: () => 'store',
    forcedOutcomes: ['decline'],
    handle: createMethod,
  },
  {
    name: 'getCustomerPaymentProfileRequest',
    shape: requestShape({ ...METHOD_IDS, unmaskExpirationDate: BOOLEAN, includeIssuerInfo: BOOLEAN }),
    faultOperation: () => 'method',
    handle: (call) => ({
      paymentProfile: shownPaymentProfile(namedMethod(call), textOf(call.request, 'unmaskExpirationDate') === 'true'),
    }),
  },
  {
    name: 'updateCustomerPaymentProfileRequest',
    shape: requestShape({
      customerProfileId: mandatory(DIGITS),
      paymentProfile: mandatory(CHANGED_PAYMENT_PROFILE),
      validationMode: VALIDATION_MODE,
    }),
    faultOperation: () => 'update',
    forcedOutcomes: ['decline'],
    handle: updateMethod,
  },
  {
    name: 'deleteCustomerPaymentProfileRequest',
    shape: requestShape(METHOD_IDS),
    faultOperation: () => 'remove',
    handle: deleteMethod,
  },
  {
    name: 'validateCustomerPaymentProfileRequest',
    shape: requestShape({
      ...METHOD_IDS,
      customerShippingAddressId: DIGITS,
      cardCode: text(4, 3),
      validationMode: mandatory(VALIDATION_MODE),
    }),
    faultOperation: () => 'validate',
    forcedOutcomes: ['decline'],
    handle: validateMethod,
  },
]
