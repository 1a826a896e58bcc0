import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import { ask } from '../../api/call-api.ts'

/** Begins to pay several invoices at once. Why that cannot be is told beside the button. @throws AskFailed as `ask` does */
export const createIntent = (invoiceIds: number[]) => ask(bulkPayment.createIntent, { body: { invoiceIds } })
