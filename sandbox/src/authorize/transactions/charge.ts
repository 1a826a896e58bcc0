import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import { AuthorizeError, notFound } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, listOf, textOf, withoutUndefined } from '../api/fields.ts'
import type { OperationCall } from '../api/operation.ts'
import { cvvResultOf } from '../payment-methods/cards.ts'
import type { Instrument } from '../payment-methods/instrument.ts'
import { takeInstrument } from '../payment-methods/payment-nonces.ts'
import type { CustomerProfile, PaymentProfile } from '../profiles/profile.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import { decide, declinedDecision, gatewayError, numberProblem } from './decide.ts'
import { isDuplicate } from './duplicates.ts'
import { bookCharge, type Decision, type ProfileIds, toCents, type Transaction, type TransactionStatus } from './transaction.ts'
import { emitTransaction } from './transaction-events.ts'
import { answerTransaction, invalidFieldError } from './transaction-response.ts'

/** What is charged: a typed instrument, or a stored one with its profile. */
interface Source {
  readonly instrument: Instrument
  readonly profile?: ProfileIds | undefined
  readonly billTo?: Fields | undefined
  readonly customer?: Fields | undefined
}

/**
 * Authorises a payment and, unless it is authorised only, captures it. A declined payment is stored too; in test mode none is.
 * @throws AuthorizeError with E00027 for an error or a duplicate, of which nothing is stored
 */
export const charge = ({ session, request, forcedOutcome }: OperationCall): Fields => {
  const transactionRequest = fieldsOf(request, 'transactionRequest') ?? {}
  const source = sourceOf(session, transactionRequest)
  const details = detailsOf(transactionRequest, source)
  const isTest = session.isTestMode || settingOf(transactionRequest, 'testRequest') === 'true'
  const amount = toCents(textOf(transactionRequest, 'amount'))
  const problem = requestProblem(transactionRequest, amount) ?? numberProblem({ ...source, now: session.now })
  const attempt = { ...source, amount: amount ?? 0, details }
  const decision =
    problem ??
    (!isTest && isDuplicate(session, attempt, duplicateWindow(transactionRequest))
      ? gatewayError('11', 'A duplicate transaction has been submitted.')
      : forceDecision(
          decide({ ...attempt, zip: textOf(fieldsOf(details, 'billTo'), 'zip'), now: session.now, isTestMode: isTest }),
          forcedOutcome,
        ))
  if (isTest || decision.responseCode === '3') return answerTransaction(transactionRequest, { ...source, decision, transId: '0', isTest })
  const transaction = storeCharge(session, {
    id: session.newId(),
    object: 'transaction',
    type: textOf(transactionRequest, 'transactionType') === 'authOnlyTransaction' ? 'authOnlyTransaction' : 'authCaptureTransaction',
    submittedAt: session.now,
    decision,
    amount: attempt.amount,
    instrument: source.instrument,
    profile: source.profile,
    details,
  })
  return answerTransaction(transactionRequest, { ...source, decision, transId: transaction.id })
}

/**
 * The instrument that the request pays with: typed in, behind a nonce, which is used up, or stored.
 * @throws AuthorizeError when the request names no instrument, or two
 */
const sourceOf = (session: AuthorizeSession, transactionRequest: Fields): Source => {
  const profile = fieldsOf(transactionRequest, 'profile')
  const payment = fieldsOf(transactionRequest, 'payment')
  if (textOf(profile, 'createProfile') === 'true') throw invalidFieldError('createProfile is not offered by this sandbox.')
  const id = textOf(fieldsOf(profile, 'paymentProfile'), 'paymentProfileId')
  if (id === undefined) {
    const instrument = takeInstrument(session, payment)
    if (instrument === undefined) throw new AuthorizeError('E00029', 'Payment information is required.')
    return { instrument }
  }
  if (payment !== undefined) throw new AuthorizeError('E00090', 'PaymentProfile cannot be sent with payment data.')
  if (fieldsOf(transactionRequest, 'billTo') !== undefined)
    throw new AuthorizeError('E00093', 'PaymentProfile cannot be sent with billing data.')
  return storedSource(session, profile, id)
}

/**
 * A stored payment method with its billing address and customer.
 * @throws AuthorizeError with E00040 unless the method belongs to the request's customer
 */
const storedSource = (session: AuthorizeSession, profile: Fields | undefined, id: string): Source => {
  const stored = session.find<PaymentProfile>('payment_profile', id)
  const customer = session.find<CustomerProfile>('customer_profile', stored?.customerProfileId ?? '')
  if (stored === undefined || customer === undefined || customer.id !== textOf(profile, 'customerProfileId'))
    throw notFound('Customer Profile ID or Customer Payment Profile ID not found.')
  const cardCode = textOf(fieldsOf(profile, 'paymentProfile'), 'cardCode')
  return {
    instrument: stored.instrument.kind === 'card' ? { ...stored.instrument, cvv: cvvResultOf(cardCode) } : stored.instrument,
    profile: { customerProfileId: customer.id, customerPaymentProfileId: stored.id },
    billTo: stored.billTo,
    customer: withoutUndefined({ id: customer.merchantCustomerId, email: customer.email }),
  }
}

const DETAIL_NAMES = [
  'order',
  'lineItems',
  'tax',
  'duty',
  'shipping',
  'taxExempt',
  'poNumber',
  'customer',
  'billTo',
  'shipTo',
  'customerIP',
]

/** The parts of the request that a look-up shows; a stored method's billing address and customer are added. */
const detailsOf = (transactionRequest: Fields, { billTo, customer }: Source): Fields =>
  withoutUndefined({
    ...Object.fromEntries(DETAIL_NAMES.map((name) => [name, transactionRequest[name]])),
    ...(billTo === undefined ? {} : { billTo }),
    ...(customer === undefined ? {} : { customer: { ...customer, ...fieldsOf(transactionRequest, 'customer') } }),
  })

/** The error of a missing amount or of a currency other than USD; undefined without a problem. */
const requestProblem = (transactionRequest: Fields, amount: number | undefined): Decision | undefined => {
  if (amount === undefined) return gatewayError('5', 'A valid amount is required.')
  const currency = textOf(transactionRequest, 'currencyCode') ?? 'USD'
  if (currency === 'USD') return undefined
  return gatewayError(
    '39',
    'The supplied currency code is either invalid, not supported, not allowed for this merchant or doesn’t have an exchange rate.',
  )
}

/** The value of the transaction setting `name`; undefined when the request has none. */
const settingOf = (transactionRequest: Fields, name: string): string | undefined =>
  textOf(
    listOf(fieldsOf(transactionRequest, 'transactionSettings'), 'setting').find((setting) => textOf(setting, 'settingName') === name),
    'settingValue',
  )

const DEFAULT_DUPLICATE_WINDOW_S = 120
const MAX_DUPLICATE_WINDOW_S = 28_800

/** The request's duplicate window in milliseconds, at most MAX_DUPLICATE_WINDOW_S; 0 when it is switched off. */
const duplicateWindow = (transactionRequest: Fields): number => {
  const seconds = Number(settingOf(transactionRequest, 'duplicateWindow') ?? DEFAULT_DUPLICATE_WINDOW_S)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_DUPLICATE_WINDOW_S) * 1000 : DEFAULT_DUPLICATE_WINDOW_S * 1000
}

const HELD: Partial<Decision> = {
  responseCode: '4',
  reasonCode: '253',
  reason: 'Thank you! For security reasons your order is currently being reviewed.',
}

/** The decision that a fault forces: a decline, or a hold for the merchant's review of what was approved. Unchanged without a fault. */
const forceDecision = (decision: Decision, forcedOutcome: ForcedOutcome | undefined): Decision => {
  if (forcedOutcome === 'decline') return declinedDecision()
  return forcedOutcome !== undefined && decision.responseCode === '1' ? { ...decision, ...HELD } : decision
}

/** The first status of a charge, by its response code and type. */
const statusOf = ({ type, decision }: Pick<Transaction, 'type' | 'decision'>): TransactionStatus => {
  if (decision.responseCode === '2') return 'declined'
  if (decision.responseCode === '4') return 'FDSAuthorizedPendingReview'
  return type === 'authOnlyTransaction' ? 'authorizedPendingCapture' : 'capturedPendingSettlement'
}

/** Stores a charge, books its money and queues its event. A declined charge is only stored; of an authorisation no money is booked. */
const storeCharge = (session: AuthorizeSession, fields: Omit<Transaction, 'status'>): Transaction => {
  const transaction = session.put<Transaction>({ ...fields, status: statusOf(fields) })
  if (transaction.status === 'declined') return transaction
  if (transaction.status === 'FDSAuthorizedPendingReview') {
    if (transaction.type === 'authCaptureTransaction') bookCharge(session, transaction, 'pending')
    emitTransaction(session, 'payment.fraud.held', transaction)
  } else if (transaction.status === 'authorizedPendingCapture') emitTransaction(session, 'payment.authorization.created', transaction)
  else {
    bookCharge(session, transaction, transaction.instrument.kind === 'card' ? 'succeeded' : 'pending')
    emitTransaction(session, 'payment.authcapture.created', transaction)
  }
  return transaction
}
