import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import type { RegisterArea } from '../../http/request-context.ts'
import { type BulkPaymentDeps, confirmationResult, createIntent, payIntent, readIntent } from './bulk-payment.service.ts'

export const bulkPaymentArea =
  (deps: BulkPaymentDeps): RegisterArea =>
  (route) => {
    route(bulkPayment.createIntent, (ask, { body }) => createIntent(deps, ask, body.invoiceIds))
    route(bulkPayment.intent, (ask, { params }) => readIntent(ask, params.id))
    route(bulkPayment.pay, (ask, { body }) => payIntent(deps, ask, body))
    route(bulkPayment.result, (ask, { body }) => confirmationResult(deps, ask, body))
  }
