import { invoicePayment } from '@counterfoil/contract/invoice-payment'
import type { Area } from '../../http/request-context.ts'
import { type InvoicePaymentDeps, payInvoice, paymentDetails } from './invoice-payment.service.ts'

export const invoicePaymentArea =
  (deps: InvoicePaymentDeps): Area =>
  (serve) => {
    serve(invoicePayment.details, (ask, { params }) => paymentDetails(deps, ask, params.token))
    serve(invoicePayment.pay, (ask, { body }) => payInvoice(deps, ask, body))
  }
