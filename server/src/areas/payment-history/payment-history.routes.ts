import { paymentHistory } from '@counterfoil/contract/payment-history'
import type { Area } from '../../http/request-context.ts'
import { invoicePayments, type PaymentHistoryDeps, receipt } from './payment-history.service.ts'

export const paymentHistoryArea =
  (deps: PaymentHistoryDeps): Area =>
  (serve) => {
    serve(paymentHistory.list, (ask, { params, query }) => invoicePayments(ask, params.id, query))
    serve(paymentHistory.receipt, (ask, { params }) => receipt(deps, ask, params.id))
  }
