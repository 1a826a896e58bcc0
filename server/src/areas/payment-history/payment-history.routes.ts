import { paymentHistory } from '@counterfoil/contract/payment-history'
import type { Area } from '../../http/request-context.ts'
import { invoicePayments, type PaymentHistoryHouse, receipt } from './payment-history.service.ts'

export const paymentHistoryArea =
  (house: PaymentHistoryHouse): Area =>
  (serve) => {
    serve(paymentHistory.list, (ask, { params, query }) => invoicePayments(ask, params.id, query))
    serve(paymentHistory.receipt, (ask, { params }) => receipt(house, ask, params.id))
  }
