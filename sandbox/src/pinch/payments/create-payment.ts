import type { ApiRequest } from '../api/endpoint.ts'
import { field, textField, textsField, wholeField } from '../api/fields.ts'
import { validationError, nonceReplay } from '../api/pinch-error.ts'
import { getPayer, newPayer, type Payer, shownPayer } from '../payers/payer.ts'
import { type Source, sourceOf } from '../payers/source.ts'
import { toInstant } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import { getToken } from '../tokens/card-token.ts'
import { dishonourOf } from './dishonours.ts'
import { newPayment, type Payment, paymentBody } from './payment.ts'
import { recordPayment } from './record-payment.ts'

const MAX_NONCE_LENGTH = 250
const MAX_DESCRIPTION_LENGTH = 999

/** The stored payment that has one of these nonces; undefined where no payment has. */
export const findByNonce = (session: PinchSession, nonces: readonly string[]): Payment | undefined =>
  session.all<Payment>('payment').find((payment) => payment.nonces.some((nonce) => nonces.includes(nonce)))

/** The nonces of a request. @throws PinchError with the first payment when one was used before, or when one is too long */
const unusedNonces = ({ session, body }: ApiRequest): readonly string[] => {
  const nonces = textsField(body, 'nonce')
  if (nonces.some((nonce) => nonce.length > MAX_NONCE_LENGTH))
    throw validationError('Nonce', `Nonce must be ${MAX_NONCE_LENGTH} characters or less.`)
  const earlier = findByNonce(session, nonces)
  if (earlier !== undefined) throw nonceReplay(nonces[0] ?? '', paymentBody(session, earlier))
  return nonces
}

/** The request's amount in cents. @throws PinchError when it is no whole number above zero */
const amountOf = ({ body }: ApiRequest): number => {
  const amount = wholeField(body, 'amount')
  if (amount === undefined) throw validationError('Amount', "'Amount' must be greater than '0'.")
  return amount
}

/** The request's description; null when absent. @throws PinchError when it is too long */
const descriptionOf = ({ body }: ApiRequest): string | null => {
  const description = textField(body, 'description') ?? null
  if (description !== null && description.length > MAX_DESCRIPTION_LENGTH)
    throw validationError('Description', 'Description must be less than 1000 characters.')
  return description
}

/** The message for a payer who does not exist. */
const unknownPayerText = (id: string): string => `Can't find payer with Id: ${id}`

/**
 * The payer and the source of a payment: stored ones, or a new payer with a token, who is not stored yet.
 * @throws PinchError when they cannot be found or the request names both
 */
const whoPays = (request: ApiRequest): { readonly payer: Payer; readonly source: Source } => {
  const { session, body } = request
  const [payerId, fullName, firstName] = ['payerId', 'fullName', 'firstName'].map((name) => textField(body, name))
  const token = textField(body, 'token') ?? textField(body, 'creditCardToken')
  if (payerId !== undefined && (fullName !== undefined || firstName !== undefined))
    throw validationError('PayerId', 'Supply only a payerId (no full/first/last names) to use an existing Payer', payerId)
  if (payerId !== undefined) return storedPayer(request, payerId, token)
  const [first = '', ...rest] = (fullName ?? firstName ?? '').split(' ')
  const email = textField(body, 'email')
  if (first === '') throw validationError('FullName', 'Supply a fullName only (no payerId or first/last names) to create a new Payer')
  if (email === undefined || !email.includes('@')) throw validationError('Email', "'Email' is not a valid email address.")
  const source = sourceOf(getToken(session, token ?? '', 'credit-card'))
  const lastName = rest.join(' ')
  const fields = { firstName: first, emailAddress: email, ...(lastName === '' ? {} : { lastName }) }
  return { source, payer: newPayer(fields, [source], toInstant(session.now)) }
}

/**
 * A stored payer with the source that pays: the token's, the named one, else the first.
 * @throws PinchError when one of them does not exist
 */
const storedPayer = ({ session, body }: ApiRequest, payerId: string, token: string | undefined) => {
  const payer = getPayer(session, payerId, unknownPayerText)
  if (token !== undefined) return { payer, source: sourceOf(getToken(session, token, 'credit-card')) }
  const sourceId = textField(body, 'sourceId')
  const source = sourceId === undefined ? payer.sources[0] : payer.sources.find(({ id }) => id === sourceId)
  if (source === undefined) throw validationError('SourceId', `Source with id: ${sourceId ?? ''} not found`)
  return { payer, source }
}

/**
 * Charges a card at once, stores the payment, approved or dishonoured, and a new payer.
 * @throws PinchError when the request is not valid or the nonce was used
 */
export const chargeNow = (request: ApiRequest): Payment => {
  const { session, body, isDishonourForced } = request
  const nonces = unusedNonces(request)
  const [amount, description] = [amountOf(request), descriptionOf(request)]
  const { payer, source } = whoPays(request)
  if (source.sourceType !== 'credit-card') throw validationError('SourceId', 'Only credit cards can be charged in real time.')
  session.put(payer)
  const forced = dishonourOf(session, { amount, description, firstName: payer.fields.firstName ?? '' })
  const type = isDishonourForced ? (forced ?? 'blocked-by-bank') : forced
  const payment = newPayment(session, {
    amount,
    description,
    source,
    nonces,
    payerId: payer.id,
    payer: shownPayer(payer),
    metadata: field(body, 'metadata'),
    status: type === undefined ? 'approved' : 'dishonoured',
    dishonour: type === undefined ? null : { type, date: toInstant(session.now) },
  })
  return recordPayment(session, payment, 'realtime-payment')
}

/**
 * Stores a payment that is scheduled for a day; nothing is charged yet.
 * @throws PinchError when the request is not valid or the nonce was used
 */
export const schedule = (request: ApiRequest): Payment => {
  const { session, body } = request
  const nonces = unusedNonces(request)
  const [amount, description] = [amountOf(request), descriptionOf(request)]
  const day = textField(body, 'transactionDate') ?? ''
  if (!/^\d{4}-\d{2}-\d{2}/.test(day) || Number.isNaN(Date.parse(day)))
    throw validationError('TransactionDate', "'Transaction Date' is not a date.")
  const payerId = textField(body, 'payerId')
  if (payerId === undefined) throw validationError('PayerId', "'Payer Id' must not be empty.")
  const { payer, source } = storedPayer(request, payerId, undefined)
  const payment = newPayment(session, {
    amount,
    description,
    source,
    nonces,
    payerId: payer.id,
    payer: shownPayer(payer),
    metadata: field(body, 'metadata'),
    status: 'scheduled',
    // Midnight in Sydney, ten hours ahead without daylight saving.
    transactionDate: toInstant(Date.parse(`${day.slice(0, 10)}T00:00:00+10:00`)),
  })
  return recordPayment(session, payment, 'payment-created')
}
