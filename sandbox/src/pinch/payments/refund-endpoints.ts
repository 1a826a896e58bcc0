import { type ApiRequest, type ApiResponse, createdResponse, type Endpoint, okResponse } from '../api/endpoint.ts'
import { textField, textsField, wholeField } from '../api/fields.ts'
import { validationError, nonceReplay, notFound } from '../api/pinch-error.ts'
import { toPage } from '../api/pages.ts'
import { newId, toInstant } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import type { Payment } from './payment.ts'
import { recordRefund, type Refund, refundBody } from './refund.ts'

/** The stored refund that has the nonce; undefined without one. */
const findByNonce = (session: PinchSession, nonce: string | undefined): Refund | undefined =>
  nonce === undefined ? undefined : session.all<Refund>('refund').find((refund) => refund.nonce === nonce)

/**
 * Stores a refund in the status `requested`, books the money and queues the event. An approved or a settled payment can be refunded.
 * @throws PinchError with the earlier refund when a refund has the nonce already; for an unknown payment, one in another status, and an
 * amount that is no whole number above zero or more than is left of the payment
 */
const createRefund = ({ session, body }: ApiRequest): ApiResponse => {
  const [nonce] = textsField(body, 'nonce')
  const earlier = findByNonce(session, nonce)
  if (earlier !== undefined) throw nonceReplay(nonce ?? '', refundBody(earlier))
  const [paymentId = '', amount] = [textField(body, 'paymentId'), wholeField(body, 'amount')]
  const payment = session.find<Payment>('payment', paymentId)
  if (payment === undefined) throw validationError('', `Could not find a payment with ID: ${paymentId}`)
  if (payment.status !== 'approved' && payment.status !== 'settled')
    throw validationError('PaymentId', 'Only approved and settled payments can be refunded.')
  if (amount === undefined) throw validationError('Amount', "'Amount' must be greater than '0'.")
  const refunded = session
    .all<Refund>('refund')
    .filter((refund) => refund.paymentId === paymentId && refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0)
  if (refunded + amount > payment.amount) throw validationError('Amount', 'The amount is more than is left of the payment.')
  const refund: Refund = {
    id: newId('ref', 8),
    object: 'refund',
    paymentId,
    reference: payment.nonces[0] ?? '',
    amount,
    currency: payment.currency,
    method: payment.source.sourceType,
    reason: textField(body, 'reason') ?? null,
    status: 'requested',
    requestedDate: toInstant(session.now),
    completedDate: null,
    nonce: nonce ?? null,
  }
  return createdResponse(refundBody(recordRefund(session, refund, 'refund-created')))
}

/** The response that says whether a refund has the nonce, with the refund. */
const checkNonce = ({ session, body }: ApiRequest): ApiResponse => {
  const [nonce] = textsField(body, 'nonce')
  const refund = findByNonce(session, nonce)
  return okResponse({ isNonceReplay: refund !== undefined, nonce: nonce ?? null, data: refund === undefined ? null : refundBody(refund) })
}

/** The response with a refund. @throws PinchError (404) when there is none */
const readRefund = ({ session, ids }: ApiRequest): ApiResponse => {
  const refund = session.find<Refund>('refund', ids[0] ?? '')
  if (refund === undefined) throw notFound()
  return okResponse({ ...refundBody(refund), transfer: null })
}

/** `/refunds`, and `/refund/{id}`, which is singular */
export const refundEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/refunds', operation: 'refund', handle: createRefund },
  { method: 'POST', path: '/refunds/nonce', operation: 'look-up', handle: checkNonce },
  {
    method: 'GET',
    path: '/refunds',
    operation: 'list',
    handle: ({ session, query }) => okResponse(toPage(query, session.all<Refund>('refund').map(refundBody))),
  },
  { method: 'GET', path: '/refund/:refund', operation: 'look-up', handle: readRefund },
]
