import { paymentHistory } from '@counterfoil/contract/payment-history'
import type { RegisterArea } from '../../http/request-context.ts'
import { listInvoicePayments, type PaymentHistoryDeps, renderReceipt } from './payment-history.service.ts'

/** Registers the endpoints of an invoice's payment attempts and of a payment's receipt (PDF). */
export const paymentHistoryArea =
  (deps: PaymentHistoryDeps): RegisterArea =>
  (route) => {
    route(paymentHistory.list, (request, { params, query }) => listInvoicePayments(deps, request, params.id, query))
    route(paymentHistory.receipt, (request, { params }) => renderReceipt(deps, request, params.id))
  }
