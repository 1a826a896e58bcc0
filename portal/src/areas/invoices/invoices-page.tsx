import type { Invoice } from '@counterfoil/contract/invoices'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { invoicesQuery } from '../../shell/invoices.data.ts'
import { Page } from '../../shell/page.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import type { Sort } from '../../ui/grid-model.ts'
import { Unavailable } from '../../ui/unavailable.tsx'
import { invoiceColumns } from './invoice-columns.tsx'

const NONE: readonly Invoice[] = []
const NEWEST_FIRST: Sort = { key: 'issued', direction: 'descending' }

/** `/invoices`: every invoice of the customer, each with its state, its way to pay and its PDF. */
export const InvoicesPage = () => {
  const { singular, plural } = useAccount().settings.invoiceLabel
  const { data, isFetching, isError, refetch } = useQuery(invoicesQuery())
  const columns = useMemo(() => invoiceColumns(singular), [singular])

  return (
    <Page title={plural}>
      <DataGrid
        label={plural}
        columns={columns}
        rows={data ?? NONE}
        initialSort={NEWEST_FIRST}
        rowKey={({ id }) => String(id)}
        busy={isFetching && data === undefined}
        empty={isError ? <Unavailable what={plural} onAgain={() => void refetch()} /> : 'There are no invoices yet'}
      />
    </Page>
  )
}
