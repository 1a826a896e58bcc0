import { bulkPayment } from '@counterfoil/contract/bulk-payment'
import type { Area } from '../../http/request-context.ts'
import { type BulkPaymentHouse, confirmationResult, createIntent, payIntent, readIntent } from './bulk-payment.service.ts'

export const bulkPaymentArea =
  (house: BulkPaymentHouse): Area =>
  (serve) => {
    serve(bulkPayment.createIntent, (ask, { body }) => createIntent(house, ask, body.invoiceIds))
    serve(bulkPayment.intent, (ask, { params }) => readIntent(ask, params.id))
    serve(bulkPayment.pay, (ask, { body }) => payIntent(house, ask, body))
    serve(bulkPayment.result, (ask, { body }) => confirmationResult(house, ask, body))
  }
