import type { ApiRequest, Endpoint } from '../api/endpoint.ts'
import { objectField, requiredText } from '../api/fields.ts'
import { declinedError, notFound, validationError } from '../api/nexio-error.ts'
import { toMinor } from '../store/amounts.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import { gatewayDecline } from './decline.ts'
import { recordTransaction } from './transaction-changes.ts'
import { newTransaction, paymentBody, referenceOf, STATUS, type Transaction } from './transaction.ts'

/** The transaction that the request names by its payment id. @throws NexioError when there is none */
const paymentOf = ({ session, body }: ApiRequest): Transaction => {
  const payment = session.find<Transaction>('transaction', requiredText(body, 'id'))
  if (payment === undefined) throw notFound('Transaction not found')
  return payment
}

/** The request's amount in minor units; `otherwise` without one. @throws NexioError when it is not valid */
const amountOf = ({ body }: ApiRequest, { currency }: Transaction, otherwise: number): number => {
  const { amount } = objectField(body, 'data')
  return amount === undefined ? otherwise : toMinor(amount, currency)
}

/** The error of a follow-up that the gateway refuses; a value, not thrown here. */
const gatewayError = ({ merchantId, refNumber }: Transaction, message: string, approval?: Transaction): Error =>
  declinedError(gatewayDecline(message), { merchantId, refNumber, ...(approval ? { approvalBody: paymentBody(approval) } : {}) })

/**
 * Captures an authorized payment, whole or a smaller amount, and books it.
 * @throws NexioError in any other status, for a larger amount, or when a fault declines
 */
const capturePayment = (request: ApiRequest): object => {
  const payment = paymentOf(request)
  const { session } = request
  if (payment.status !== STATUS.authorized) throw gatewayError(payment, 'Transaction cannot be captured')
  const amount = amountOf(request, payment, payment.amount)
  if (amount > payment.amount) throw validationError('"data.amount" is more than was authorized')
  const captured = { ...payment, amount, status: STATUS.captured, changedAt: session.now, capturedAt: session.now }
  if (request.forcedOutcome === 'decline') throw gatewayError(payment, 'Declined', captured)
  return paymentBody(recordTransaction(session, captured))
}

const VOIDABLE: ReadonlySet<number> = new Set([STATUS.authorized, STATUS.captured, STATUS.pending])

/**
 * Voids a payment that has not settled; the money of a captured one goes back.
 * @throws NexioError for a settled or failed one or a refund, or when a fault declines
 */
const voidPayment = (request: ApiRequest): object => {
  const payment = paymentOf(request)
  const { session } = request
  if (!VOIDABLE.has(payment.status) || payment.type === 'refund')
    throw gatewayError(payment, 'Transaction cannot be voided: it has settled or failed')
  const voided = { ...payment, status: STATUS.voided, changedAt: session.now }
  if (request.forcedOutcome === 'decline') throw gatewayError(payment, 'Declined', voided)
  const recorded = recordTransaction(session, voided, { booked: payment.status === STATUS.pending ? 'failed' : undefined })
  if (payment.status === STATUS.captured) bookVoid(session, recorded)
  return paymentBody(recorded)
}

/** Books the money of a voided captured payment by an entry of its own, as that of a refund is. */
const bookVoid = (session: NexioSession, payment: Transaction): void => {
  const { refNumber, amount, currency, method } = payment
  session.book({ id: `${refNumber}-void`, reference: referenceOf(payment), amount, currency, status: 'refunded', method: method.kind })
}

/**
 * Refunds a settled payment, whole or in part, and books the refund. A declined refund is recorded, too.
 * @throws NexioError in any other status, for more than remains, or when a fault declines
 */
const refundPayment = (request: ApiRequest): object => {
  const payment = paymentOf(request)
  const { session } = request
  if (payment.status !== STATUS.settled || payment.type === 'refund')
    throw gatewayError(payment, 'Transaction cannot be refunded: it has not settled')
  const remaining = payment.amount - payment.refunded
  const amount = amountOf(request, payment, remaining)
  if (amount > remaining) throw gatewayError(payment, 'Refund amount exceeds the amount of the transaction')
  const isDeclined = request.forcedOutcome === 'decline'
  const refund = recordTransaction(session, newRefund(request, { payment, amount, isDeclined }))
  if (isDeclined) throw gatewayError(payment, 'Declined', { ...refund, status: STATUS.captured, message: 'Approved' })
  session.put({ ...payment, refunded: payment.refunded + amount, changedAt: session.now })
  return paymentBody(refund)
}

interface NewRefund {
  readonly payment: Transaction
  readonly amount: number
  readonly isDeclined: boolean
}

/** A refund with new ids, approved or declined, not stored yet. */
const newRefund = ({ session }: ApiRequest, { payment, amount, isDeclined }: NewRefund): Transaction => {
  const { merchantId, currency, method, data, id, number } = payment
  return newTransaction(session, {
    merchantId,
    currency,
    method,
    data,
    amount,
    type: 'refund',
    status: isDeclined ? STATUS.failed : STATUS.captured,
    message: isDeclined ? 'Declined' : 'Approved',
    results: {},
    originalId: id,
    originalNumber: number,
  })
}

/** `/pay/v3/capture`, `/pay/v3/void` and `/pay/v3/refund` */
export const followUpEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/pay/v3/capture', operation: 'capture', forcedOutcomes: ['decline'], handle: capturePayment },
  { method: 'POST', path: '/pay/v3/void', operation: 'void', forcedOutcomes: ['decline'], handle: voidPayment },
  { method: 'POST', path: '/pay/v3/refund', operation: 'refund', forcedOutcomes: ['decline'], handle: refundPayment },
]
