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

type Payment = Omit<Parameters<typeof callApi<typeof invoicePayment.pay>>[1]['body'], 'uid' | 'invoiceNumber' | 'invoiceAmount'>

/**
 * Pays an invoice. The idempotency key stays the same until the server has definitely accepted or rejected the payment.
 * @throws ApiError when the request fails
 */
export const payInvoice = async ({ uid, InvoiceNumber, invoiceAmount }: InvoicePayment, payment: Payment) => {
  const body = { ...payment, uid, invoiceNumber: InvoiceNumber, invoiceAmount: invoiceAmount.toFixed(2) }
  try {
    const response = await callApi(invoicePayment.pay, { body, headers: { 'Idempotency-Key': idempotencyKey(uid) } })
    clearIdempotencyKey(uid)
    return response
  } catch (failure) {
    if (isDefiniteFailure(failure)) clearIdempotencyKey(uid)
    throw failure
  }
}
