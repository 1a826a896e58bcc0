import { invoicePayment } from '@counterfoil/contract/invoice-payment'
import type { RegisterArea } from '../../http/request-context.ts'
import { openLinkFrame } from './link-frame.service.ts'
import { loadLinkInvoice, renderLinkReceipt } from './link-documents.service.ts'
import { type InvoicePaymentDeps, payInvoice, readPaymentDetails } from './invoice-payment.service.ts'
import { payWithStoredMethod, readLinkPayer } from './stored-method-payment.service.ts'

/**
 * Registers the endpoints of payment links: the page's data, frame, payment, PDFs, and for who is signed in the payment with a stored
 * method.
 */
export const invoicePaymentArea =
  (deps: InvoicePaymentDeps): RegisterArea =>
  (route) => {
    route(invoicePayment.details, (request, { params }) => readPaymentDetails(deps, request, params.token))
    route(invoicePayment.template, (request, { params, query }) => openLinkFrame(deps, request, params.token, query.shownTotal))
    route(invoicePayment.pay, (request, { body }) => payInvoice(deps, request, body))
    route(invoicePayment.document, (request, { params }) => loadLinkInvoice(deps, request, params.token))
    route(invoicePayment.receipt, (request, { params }) => renderLinkReceipt(deps, request, params.token))
    route(invoicePayment.payer, (request, { params }) => readLinkPayer(deps, request, params.token))
    route(invoicePayment.payStored, (request, { params, body }) => payWithStoredMethod(deps, request, params.token, body))
  }
