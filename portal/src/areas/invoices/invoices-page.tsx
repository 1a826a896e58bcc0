import type { Invoice } from '@counterfoil/contract/invoices'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { invoicesQuery } from '../../shell/invoices.data.ts'
import { Page } from '../../shell/page.tsx'
import { onPaid } from '../../shell/pay-watch.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import type { Sort } from '../../ui/grid-model.ts'
import { Unavailable } from '../../ui/unavailable.tsx'
import { invoiceColumns } from './invoice-columns.tsx'
import { PaySelected } from './pay-selected.tsx'
import { payableIds } from './payable.ts'

const NONE: readonly Invoice[] = []
const NEWEST_FIRST: Sort = { key: 'issued', direction: 'descending' }

/** `/invoices`: every invoice of the customer, each with its state, its way to pay and its PDF; several are paid at once where the reseller allows it. */
export const InvoicesPage = () => {
  const { settings } = useAccount()
  const { singular, plural } = settings.invoiceLabel
  const { data, isFetching, isError, refetch } = useQuery(invoicesQuery())
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(() => invoiceColumns(singular), [singular])
  const invoices = data ?? NONE
  const takesSeveral = settings.payments.enabled && settings.payments.bulk

  useEffect(() => onPaid(() => void refetch()), [refetch])

  return (
    <Page title={plural} aside={takesSeveral && <PaySelected invoiceIds={payableIds(invoices, chosen)} />}>
      <DataGrid
        label={plural}
        columns={columns}
        rows={invoices}
        initialSort={NEWEST_FIRST}
        rowKey={({ id }) => String(id)}
        busy={isFetching && data === undefined}
        empty={isError ? <Unavailable what={plural} onAgain={() => void refetch()} /> : 'There are no invoices yet'}
        {...(takesSeveral && {
          selection: { chosen, onChange: setChosen, canChoose: () => true, nameOf: ({ number }: Invoice) => `${singular} ${number}` },
        })}
      />
    </Page>
  )
}
