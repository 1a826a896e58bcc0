import { type ApiRequest, type ApiResponse, createdResponse, type Endpoint, okResponse } from '../api/endpoint.ts'
import { type Fields, textField, textsField, wholeField } from '../api/fields.ts'
import { validationError, notDeleted, notFound } from '../api/pinch-error.ts'
import { toPage } from '../api/pages.ts'
import { getPayer } from '../payers/payer.ts'
import { chargeNow, findByNonce, schedule } from './create-payment.ts'
import { feeOf, feesBody, listedPayment, type Payment, paymentBody } from './payment.ts'
import { recordPayment } from './record-payment.ts'

const readPayment = ({ session, ids }: ApiRequest): ApiResponse => {
  const payment = session.find<Payment>('payment', ids[0] ?? '')
  if (payment === undefined) throw notFound()
  return okResponse(paymentBody(session, payment))
}

const checkNonce = ({ session, body }: ApiRequest): ApiResponse => {
  const [nonce = null] = textsField(body, 'nonce')
  const payment = nonce === null ? undefined : findByNonce(session, [nonce])
  return okResponse({ isNonceReplay: payment !== undefined, nonce, data: payment === undefined ? null : paymentBody(session, payment) })
}

const cancelPayment = ({ session, ids: [id = ''] }: ApiRequest): ApiResponse => {
  const payment = session.find<Payment>('payment', id)
  if (payment === undefined) throw notDeleted('paymentId', `Payment with id: ${id} not found`)
  if (payment.status !== 'scheduled') throw notDeleted('paymentId', 'Only scheduled payments can be deleted')
  recordPayment(session, { ...payment, status: 'cancelled' }, 'scheduled-process')
  return okResponse('')
}

/** A payment of this span; the days of the query are both in it. */
const isBetween = (query: Fields, { transactionDate }: Payment): boolean => {
  const [from, to] = [textField(query, 'startDate'), textField(query, 'endDate')]
  const day = transactionDate.slice(0, 10)
  return (from === undefined || day >= from.slice(0, 10)) && (to === undefined || day <= to.slice(0, 10))
}

const isScheduled = ({ status }: Payment): boolean => status === 'scheduled'

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

const listOfPayer = ({ session, ids: [id = ''] }: ApiRequest): ApiResponse => {
  const payer = getPayer(session, id, (payerId) => `Payer with id: ${payerId} not found`)
  const payments = session.all<Payment>('payment').filter(({ payerId }) => payerId === payer.id)
  return okResponse(payments.map((payment) => paymentBody(session, payment)))
}

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
