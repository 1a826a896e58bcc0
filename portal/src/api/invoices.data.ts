import { invoices } from '@counterfoil/contract/invoices'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { ask, askFile } from './call-api.ts'

/** The customer's invoices, newest first. Its failure is only logged (portal.md §8). */
export const invoicesQuery = () =>
  queryOptions({
    queryKey: ['invoices', 'list'],
    queryFn: ({ signal }) => ask(invoices.list, { signal }),
    meta: { failure: 'log' },
  })

/** Fetches an invoice's PDF; a failure is told beside the button. */
export const invoiceDocument = () =>
  mutationOptions({
    mutationKey: ['invoices', 'document'],
    mutationFn: (id: number) => askFile(invoices.document, { params: { id } }),
    meta: { failure: 'inline' },
  })
