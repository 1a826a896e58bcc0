import { type BrandSettings, brands } from '@counterfoil/contract/brands'
import { type InvoicePayment, invoicePayment } from '@counterfoil/contract/invoice-payment'
import { callApi } from '../../api/call-api.ts'
import { isDefiniteFailure } from '../../payments/payment-error.ts'
import { clearIdempotencyKey, idempotencyKey } from '../../payments/idempotency-key.ts'

/**
 * The invoice that a payment link's token stands for.
 * @throws ApiError when the request fails
 */
export const fetchInvoicePayment = (token: string, signal: AbortSignal): Promise<InvoicePayment> =>
  callApi(invoicePayment.details, { params: { token }, signal })

/** The brand of the invoice. */
export const fetchBrand = (id: number, signal: AbortSignal): Promise<BrandSettings> => callApi(brands.byId, { params: { id }, signal })

type StoredPayment = Omit<Parameters<typeof callApi<typeof invoicePayment.payStored>>[1]['body'], 'invoiceNumber' | 'invoiceAmount'>

/**
 * Pays an invoice with a stored method of its customer. The idempotency key is that of the link, so that both together pay once.
 * @throws ApiError when the request fails
 */
export const payWithStoredMethod = (token: string, { uid, InvoiceNumber, invoiceAmount }: InvoicePayment, payment: StoredPayment) =>
  withIdempotencyKey(uid, (headers) =>
    callApi(invoicePayment.payStored, {
      params: { token },
      body: { ...payment, invoiceNumber: InvoiceNumber, invoiceAmount: invoiceAmount.toFixed(2) },
      headers,
    }),
  )

type Payment = Omit<Parameters<typeof callApi<typeof invoicePayment.pay>>[1]['body'], 'uid' | 'invoiceNumber' | 'invoiceAmount'>

/**
 * Pays an invoice with a card that is not stored.
 * @throws ApiError when the request fails
 */
export const payInvoice = ({ uid, InvoiceNumber, invoiceAmount }: InvoicePayment, payment: Payment) => {
  const body = { ...payment, uid, invoiceNumber: InvoiceNumber, invoiceAmount: invoiceAmount.toFixed(2) }
  return withIdempotencyKey(uid, (headers) => callApi(invoicePayment.pay, { body, headers }))
}

/** The idempotency key stays the same until the server has definitely accepted or rejected the payment. */
const withIdempotencyKey = async <Response>(
  subject: string,
  send: (headers: { 'Idempotency-Key': string }) => Promise<Response>,
): Promise<Response> => {
  try {
    const response = await send({ 'Idempotency-Key': idempotencyKey(subject) })
    clearIdempotencyKey(subject)
    return response
  } catch (failure) {
    if (isDefiniteFailure(failure)) clearIdempotencyKey(subject)
    throw failure
  }
}
