import { paymentHistory } from '@counterfoil/contract/payment-history'
import type { RegisterArea } from '../../http/request-context.ts'
import { invoicePayments, type PaymentHistoryDeps, receipt } from './payment-history.service.ts'

export const paymentHistoryArea =
  (deps: PaymentHistoryDeps): RegisterArea =>
  (route) => {
    route(paymentHistory.list, (ask, { params, query }) => invoicePayments(ask, params.id, query))
    route(paymentHistory.receipt, (ask, { params }) => receipt(deps, ask, params.id))
  }
