import { invoicePayment } from '@counterfoil/contract/invoice-payment'
import type { RegisterArea } from '../../http/request-context.ts'
import { type InvoicePaymentDeps, payInvoice, paymentDetails } from './invoice-payment.service.ts'

export const invoicePaymentArea =
  (deps: InvoicePaymentDeps): RegisterArea =>
  (route) => {
    route(invoicePayment.details, (ask, { params }) => paymentDetails(deps, ask, params.token))
    route(invoicePayment.pay, (ask, { body }) => payInvoice(deps, ask, body))
  }
