import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import { callApi } from '../../api/call-api.ts'

/**
 * Creates a payment intent for several invoices on the server; nothing is paid yet. The error is shown beside the button.
 * @throws ApiError when the request fails
 */
export const createPaymentIntent = (invoiceIds: number[]) => callApi(bulkPayment.createIntent, { body: { invoiceIds } })
