import { type BrandSettings, brands } from '@counterfoil/contract/brands'
import { type InvoicePayment, invoicePayment } from '@counterfoil/contract/invoice-payment'
import { ask } from '../../api/call-api.ts'
import { isDefinite } from '../../payments/payment-error.ts'
import { dropPayKey, payKey } from '../../payments/idempotency-key.ts'

/** What the page shows of an invoice, by the token of its link. @throws AskFailed as `ask` does */
export const paymentDetails = (token: string, signal: AbortSignal): Promise<InvoicePayment> =>
  ask(invoicePayment.details, { params: { token }, signal })

/** The look of the invoice's own brand. */
export const brandOf = (id: number, signal: AbortSignal): Promise<BrandSettings> => ask(brands.byId, { params: { id }, signal })

type Payment = Omit<Parameters<typeof ask<typeof invoicePayment.pay>>[1]['body'], 'uid' | 'invoiceNumber' | 'invoiceAmount'>

/**
 * Pays an invoice. The key of the press stays the same until the server has said yes or no.
 * @throws AskFailed as `ask` does
 */
export const payInvoice = async ({ uid, InvoiceNumber, invoiceAmount }: InvoicePayment, payment: Payment) => {
  const body = { ...payment, uid, invoiceNumber: InvoiceNumber, invoiceAmount: invoiceAmount.toFixed(2) }
  try {
    const answer = await ask(invoicePayment.pay, { body, headers: { 'Idempotency-Key': payKey(uid) } })
    dropPayKey(uid)
    return answer
  } catch (failure) {
    if (isDefinite(failure)) dropPayKey(uid)
    throw failure
  }
}
