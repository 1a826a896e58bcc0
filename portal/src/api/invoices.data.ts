import { invoices } from '@counterfoil/contract/invoices'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { callApi, fetchFile } from './call-api.ts'

/** Query options: the customer's invoices, newest first. A failure is only logged. */
export const invoicesQuery = () =>
  queryOptions({
    queryKey: ['invoices', 'list'],
    queryFn: ({ signal }) => callApi(invoices.list, { signal }),
    meta: { failure: 'log' },
  })

/** Mutation options: fetches an invoice's PDF, without saving it. A failure is shown beside the button. */
export const invoicePdfMutation = () =>
  mutationOptions({
    mutationKey: ['invoices', 'document'],
    mutationFn: (id: number) => fetchFile(invoices.document, { params: { id } }),
    meta: { failure: 'inline' },
  })
