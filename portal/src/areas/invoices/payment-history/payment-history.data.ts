import { HISTORY_PAGE_SIZE, paymentHistory } from '@counterfoil/contract/payment-history'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../../api/call-api.ts'

/** Query options: a page of the attempts to pay an invoice, newest first. Fetched anew each time the invoice is opened. */
export const invoicePaymentsQuery = (invoiceId: number, page: number) =>
  queryOptions({
    queryKey: ['payment-history', 'list', invoiceId, page],
    queryFn: ({ signal }) =>
      callApi(paymentHistory.list, { params: { id: invoiceId }, query: { pageNumber: page, pageSize: HISTORY_PAGE_SIZE }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    meta: { failure: 'inline' },
  })
