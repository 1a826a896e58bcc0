import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import { callApi } from '../../api/call-api.ts'

/** Begins to pay several invoices at once. Why that cannot be is told beside the button. @throws AskFailed as `ask` does */
export const createPaymentIntent = (invoiceIds: number[]) => callApi(bulkPayment.createIntent, { body: { invoiceIds } })
