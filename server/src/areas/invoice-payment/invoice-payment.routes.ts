import { invoicePayment } from '@counterfoil/contract/invoice-payment'
import type { Area } from '../../http/request-context.ts'
import { type InvoicePaymentHouse, payInvoice, paymentDetails } from './invoice-payment.service.ts'

export const invoicePaymentArea =
  (house: InvoicePaymentHouse): Area =>
  (serve) => {
    serve(invoicePayment.details, (ask, { params }) => paymentDetails(house, ask, params.token))
    serve(invoicePayment.pay, (ask, { body }) => payInvoice(house, ask, body))
  }
