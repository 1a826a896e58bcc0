import { type BrandSettings, brands } from '@counterfoil/contract/brands'
import { type InvoicePayment, invoicePayment } from '@counterfoil/contract/invoice-payment'
import { callApi } from '../../api/call-api.ts'

/**
 * Asks the server for the invoice that a payment link's token stands for.
 * @throws ApiError when the request fails
 */
export const fetchInvoicePayment = (token: string, signal: AbortSignal): Promise<InvoicePayment> =>
  callApi(invoicePayment.details, { params: { token }, signal })

/**
 * The brand with this id, from the server, with its colours and help.
 * @throws ApiError when the request fails
 */
export const fetchBrand = (id: number, signal: AbortSignal): Promise<BrandSettings> => callApi(brands.byId, { params: { id }, signal })

/** The Idempotency-Key: requests with the same key pay once. */
type Headers = Readonly<Record<string, string>>

type StoredPayment = Omit<Parameters<typeof callApi<typeof invoicePayment.payStored>>[1]['body'], 'invoiceNumber' | 'invoiceAmount'> & {
  readonly shownTotal: number
}

/**
 * Pays an invoice with a stored method of its customer.
 * @throws ApiError when the request fails
 */
export const payWithStoredMethod = (token: string, invoice: InvoicePayment, payment: StoredPayment, headers: Headers) =>
  callApi(invoicePayment.payStored, { params: { token }, body: { ...payment, ...shownOf(invoice) }, headers })

/** The total to pay by card, in currency units: with the card's fee where there is one. */
export const cardTotal = ({ fees, invoiceAmount }: InvoicePayment): number =>
  fees.find(({ kind }) => kind === 'card')?.total ?? invoiceAmount

type Payment = Omit<
  Parameters<typeof callApi<typeof invoicePayment.pay>>[1]['body'],
  'uid' | 'invoiceNumber' | 'invoiceAmount' | 'shownTotal'
>

/**
 * Pays an invoice with a card that is not stored.
 * @throws ApiError when the request fails
 */
export const payInvoice = (invoice: InvoicePayment, payment: Payment, headers: Headers) =>
  callApi(invoicePayment.pay, { body: { ...payment, uid: invoice.uid, ...shownOf(invoice), shownTotal: cardTotal(invoice) }, headers })

/** The invoice's number and amount as the page shows them: fields of the request to pay, which the server compares with its own. */
const shownOf = ({ InvoiceNumber, invoiceAmount }: InvoicePayment) => ({
  invoiceNumber: InvoiceNumber,
  invoiceAmount: invoiceAmount.toFixed(2),
})
