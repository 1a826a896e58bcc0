import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import type { Area } from '../../http/request-context.ts'
import { type BulkPaymentDeps, confirmationResult, createIntent, payIntent, readIntent } from './bulk-payment.service.ts'

export const bulkPaymentArea =
  (deps: BulkPaymentDeps): Area =>
  (serve) => {
    serve(bulkPayment.createIntent, (ask, { body }) => createIntent(deps, ask, body.invoiceIds))
    serve(bulkPayment.intent, (ask, { params }) => readIntent(ask, params.id))
    serve(bulkPayment.pay, (ask, { body }) => payIntent(deps, ask, body))
    serve(bulkPayment.result, (ask, { body }) => confirmationResult(deps, ask, body))
  }
