import type { Invoice } from '@counterfoil/contract/invoices'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { invoicesQuery } from '../../api/invoices.data.ts'
import { Page } from '../../shell/page.tsx'
import { onPaidElsewhere } from '../../payments/payment-broadcast.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Sort } from '../../ui/grid/grid-model.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { invoiceColumns } from './invoice-columns.tsx'
import { PaymentsToggle } from './payments-toggle.tsx'
import { PayInvoicesButton } from '../../payments/pay-invoices-button.tsx'
import { payableIds } from './payable-ids.ts'
import { PaymentHistory } from './payment-history.tsx'

const NO_INVOICES: readonly Invoice[] = []
const NEWEST_FIRST: Sort = { key: 'issued', direction: 'descending' }

/** `/invoices`: the customer's invoices with status, Pay, PDF and payments. Several can be paid at once if the reseller allows it. */
export const InvoicesPage = () => {
  const { settings } = useAccount()
  const { singular, plural } = settings.invoiceLabel
  const { data, isFetching, isError, refetch } = useQuery(invoicesQuery())
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<number>>(new Set())
  const hasPayments = settings.payments.enabled
  const columns = useMemo(
    () =>
      invoiceColumns(singular, ({ id, number }) =>
        hasPayments ? (
          <PaymentsToggle
            number={number}
            controlledId={historyId(id)}
            isOpen={expandedIds.has(id)}
            onToggle={() => setExpandedIds(withToggled(expandedIds, id))}
          />
        ) : null,
      ),
    [singular, hasPayments, expandedIds],
  )
  const invoices = data ?? NO_INVOICES
  const canPaySeveral = settings.payments.enabled && settings.payments.bulk

  useEffect(() => onPaidElsewhere(() => void refetch()), [refetch])

  return (
    <Page title={plural} aside={canPaySeveral && <PayInvoicesButton invoiceIds={payableIds(invoices, selectedIds)}>Pay</PayInvoicesButton>}>
      <DataGrid
        label={plural}
        columns={columns}
        rows={invoices}
        initialSort={NEWEST_FIRST}
        rowKey={({ id }) => String(id)}
        busy={isFetching && data === undefined}
        details={{
          isOpen: ({ id }) => expandedIds.has(id),
          render: (invoice) => <PaymentHistory invoice={invoice} id={historyId(invoice.id)} />,
        }}
        empty={isError ? <Unavailable subject={plural} onRetry={() => void refetch()} /> : 'There are no invoices yet'}
        {...(canPaySeveral && {
          selection: {
            selected: selectedIds,
            onChange: setSelectedIds,
            canSelect: () => true,
            nameOf: ({ number }: Invoice) => `${singular} ${number}`,
          },
        })}
      />
    </Page>
  )
}

const historyId = (id: number): string => `payments-${id}`

const withToggled = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> => {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
