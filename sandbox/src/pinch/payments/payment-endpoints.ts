import { type ApiRequest, type ApiResponse, createdResponse, type Endpoint, okResponse } from '../api/endpoint.ts'
import { type Fields, textField, textsField, wholeField } from '../api/fields.ts'
import { validationError, notDeleted, notFound } from '../api/pinch-error.ts'
import { toPage } from '../api/pages.ts'
import { getPayer } from '../payers/payer.ts'
import { chargeNow, findByNonce, schedule } from './create-payment.ts'
import { feeOf, feesBody, listedPayment, type Payment, paymentBody } from './payment.ts'
import { recordPayment } from './record-payment.ts'

/** The response with a payment. @throws PinchError (404) when there is none */
const readPayment = ({ session, ids }: ApiRequest): ApiResponse => {
  const payment = session.find<Payment>('payment', ids[0] ?? '')
  if (payment === undefined) throw notFound()
  return okResponse(paymentBody(session, payment))
}

/** The response that says whether a payment has the nonce, with the payment. */
const checkNonce = ({ session, body }: ApiRequest): ApiResponse => {
  const [nonce = null] = textsField(body, 'nonce')
  const payment = nonce === null ? undefined : findByNonce(session, [nonce])
  return okResponse({ isNonceReplay: payment !== undefined, nonce, data: payment === undefined ? null : paymentBody(session, payment) })
}

/** Cancels a scheduled payment. @throws PinchError when there is none, or it was processed */
const cancelPayment = ({ session, ids: [id = ''] }: ApiRequest): ApiResponse => {
  const payment = session.find<Payment>('payment', id)
  if (payment === undefined) throw notDeleted('paymentId', `Payment with id: ${id} not found`)
  if (payment.status !== 'scheduled') throw notDeleted('paymentId', 'Only scheduled payments can be deleted')
  recordPayment(session, { ...payment, status: 'cancelled' }, 'scheduled-process')
  return okResponse('')
}

/** Whether a payment's day lies in the query's span; both days of the span belong to it. */
const isBetween = (query: Fields, { transactionDate }: Payment): boolean => {
  const [from, to] = [textField(query, 'startDate'), textField(query, 'endDate')]
  const day = transactionDate.slice(0, 10)
  return (from === undefined || day >= from.slice(0, 10)) && (to === undefined || day <= to.slice(0, 10))
}

const isScheduled = ({ status }: Payment): boolean => status === 'scheduled'

/** The response with one page of the payments that are listed and lie in the query's span, newest first. */
const listPayments = ({ session, query }: ApiRequest, isListed: (payment: Payment) => boolean): ApiResponse =>
  okResponse(
    toPage(
      query,
      session
        .all<Payment>('payment')
        .filter((payment) => isListed(payment) && isBetween(query, payment))
        .map(listedPayment),
    ),
  )

/** The response with all payments of a payer, newest first, not in pages. @throws PinchError without such a payer */
const listOfPayer = ({ session, ids: [id = ''] }: ApiRequest): ApiResponse => {
  const payer = getPayer(session, id, (payerId) => `Payer with id: ${payerId} not found`)
  const payments = session.all<Payment>('payment').filter(({ payerId }) => payerId === payer.id)
  return okResponse(payments.map((payment) => paymentBody(session, payment)))
}

/** The response with the fees of an amount; nothing is stored. @throws PinchError for an amount that is no whole number above zero */
const calculateFees = ({ session, body }: ApiRequest): ApiResponse => {
  const amount = wholeField(body, 'amount')
  if (amount === undefined) throw validationError('Amount', "'Amount' must be greater than '0'.")
  const sourceType = textField(body, 'sourceType') === 'bank-account' ? 'bank-account' : 'credit-card'
  return okResponse({
    amount,
    currency: session.currency,
    netAmount: amount - feeOf(amount, sourceType),
    isSurcharged: false,
    fees: feesBody(amount, sourceType, session.currency),
  })
}

/** `/payments` and `/fees` */
export const paymentEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/payments/realtime',
    operation: 'charge',
    hasBank: true,
    handle: (request) => createdResponse(paymentBody(request.session, chargeNow(request))),
  },
  {
    method: 'POST',
    path: '/payments',
    operation: 'charge',
    handle: (request) => createdResponse(paymentBody(request.session, schedule(request))),
  },
  { method: 'POST', path: '/payments/nonce', operation: 'look-up', handle: checkNonce },
  {
    method: 'GET',
    path: '/payments/processed',
    operation: 'list',
    handle: (request) => listPayments(request, (payment) => !isScheduled(payment)),
  },
  { method: 'GET', path: '/payments/scheduled', operation: 'list', handle: (request) => listPayments(request, isScheduled) },
  { method: 'GET', path: '/payments/payer/:payer', operation: 'list', handle: listOfPayer },
  { method: 'GET', path: '/payments/:payment', operation: 'look-up', handle: readPayment },
  { method: 'DELETE', path: '/payments/:payment', operation: 'cancel', handle: cancelPayment },
  { method: 'POST', path: '/fees/calculate', operation: 'fees', handle: calculateFees },
]
