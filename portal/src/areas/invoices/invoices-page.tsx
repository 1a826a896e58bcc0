import { type Invoice, MAX_LISTED_INVOICES } from '@counterfoil/contract/invoices'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAccount } from '../../shell/account/account.tsx'
import { invoicesQuery } from '../../api/invoices.data.ts'
import { formatNumber } from '../../format/format.ts'
import { invoiceNouns } from '../../shell/account/invoice-labels.ts'
import { Page } from '../../shell/page.tsx'
import { onPaidElsewhere } from '../../payments/outcome/payment-broadcast.ts'
import { Button } from '../../ui/button/button.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Sort } from '../../ui/grid/grid-model.ts'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { countText } from './download/archive-texts.ts'
import { DownloadInvoices } from './download/download-invoices.tsx'
import { filterInvoices } from './filter/invoice-filter.ts'
import { InvoiceFilters } from './filter/invoice-filters.tsx'
import { invoiceSums } from './invoice-sums.tsx'
import styles from './invoices.module.css'
import { PayBar } from './pay/pay-bar.tsx'
import { isPayable, selectedPayable } from './pay/pay-selection.ts'
import { PaymentHistory } from './payment-history/payment-history.tsx'
import { historyId, useOpenPayments } from './payment-history/use-open-payments.tsx'
import { useInvoiceFilter } from './filter/use-invoice-filter.ts'

const NO_INVOICES: readonly Invoice[] = []
const NEWEST_FIRST: Sort = { key: 'issued', direction: 'descending' }

/** `/invoices`: the customer's invoices with status, Pay, PDF and payments; found, downloaded and paid several at once. */
export const InvoicesPage = () => {
  const { settings } = useAccount()
  const { singular, plural } = settings.invoiceLabel
  const nouns = useMemo(() => invoiceNouns(settings), [settings])
  const { data, isFetching, isError, refetch } = useQuery(invoicesQuery())
  const invoices = data ?? NO_INVOICES
  const view = useInvoiceFilter()
  const { status, year, search } = view.filter
  const found = useMemo(() => filterInvoices(invoices, { status, year, search }), [invoices, status, year, search])
  const sums = useMemo(() => invoiceSums(found, nouns), [found, nouns])
  const { selected, setSelectedIds } = useSelection(invoices)
  const { columns, isOpen } = useOpenPayments(singular, settings.payments.enabled)
  const canPaySeveral = settings.payments.enabled && settings.payments.bulk
  const isSelection = canPaySeveral && selected.length > 0

  useEffect(() => onPaidElsewhere(() => void refetch()), [refetch])

  return (
    <Page
      title={plural}
      aside={
        found.length > 0 && (
          <DownloadInvoices
            invoices={isSelection ? selected : found}
            isSelection={isSelection}
            year={year}
            isWholeYear={!isSelection && year !== '' && status === 'all' && search.trim() === ''}
          />
        )
      }
    >
      {invoices.length > 0 && <InvoiceFilters invoices={invoices} view={view} />}
      <div className={styles.list}>
        <DataGrid
          label={plural}
          columns={columns}
          rows={found}
          sums={sums}
          summary={found.length === 0 ? '' : countText(found.length, nouns)}
          initialSort={NEWEST_FIRST}
          resetKey={`${status} ${year} ${search}`}
          rowKey={({ id }) => String(id)}
          busy={isFetching && data === undefined}
          details={{ isOpen, render: (invoice) => <PaymentHistory invoice={invoice} id={historyId(invoice.id)} /> }}
          empty={
            isError && data === undefined ? (
              <Unavailable subject={plural} onRetry={() => void refetch()} />
            ) : (
              <NothingFound isFiltered={invoices.length > 0} nouns={nouns} onClear={view.clear} />
            )
          }
          {...(canPaySeveral && {
            selection: {
              selected: new Set(selected.map(({ id }) => String(id))),
              onChange: setSelectedIds,
              canSelect: isPayable,
              nameOf: ({ number }: Invoice) => `${singular} ${number}`,
            },
          })}
        />
      </div>
      {invoices.length === MAX_LISTED_INVOICES && (
        <p className={styles.truncated}>
          Only the newest {formatNumber(MAX_LISTED_INVOICES, 0)} {nouns.plural} are listed here.
        </p>
      )}
      {canPaySeveral && invoices.length > 0 && <PayBar invoices={found} selected={selected} onSelect={setSelectedIds} />}
    </Page>
  )
}

/** The text of an empty list: no invoices at all, or none that the filters leave, with a button that clears these. */
const NothingFound = ({ isFiltered, nouns, onClear }: { isFiltered: boolean; nouns: { plural: string }; onClear: () => void }) =>
  isFiltered ? (
    <div className={styles.empty}>
      No {nouns.plural} match your search and filters
      <Button kind="quiet" onPress={onClear}>
        Clear search and filters
      </Button>
    </div>
  ) : (
    'There are no invoices yet'
  )

/** The selected invoices, in memory. What cannot be paid any more, such as one that was paid meanwhile, leaves the selection for good. */
const useSelection = (invoices: readonly Invoice[]) => {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => selectedPayable(invoices, selectedIds), [invoices, selectedIds])
  if (selected.length !== selectedIds.size) setSelectedIds(new Set(selected.map(({ id }) => String(id))))
  return { selected, setSelectedIds }
}
