import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import type { RegisterArea } from '../../http/request-context.ts'
import { type BulkPaymentDeps, readConfirmationResult, createIntent, payIntent, readIntent } from './bulk-payment.service.ts'

/** Registers the endpoints of an intent for several invoices: create, read, pay, and the result after a confirmation. */
export const bulkPaymentArea =
  (deps: BulkPaymentDeps): RegisterArea =>
  (route) => {
    route(bulkPayment.createIntent, (request, { body }) => createIntent(deps, request, body.invoiceIds))
    route(bulkPayment.intent, (request, { params }) => readIntent(deps, request, params.id))
    route(bulkPayment.pay, (request, { body }) => payIntent(deps, request, body))
    route(bulkPayment.result, (request, { body }) => readConfirmationResult(deps, request, body))
  }
