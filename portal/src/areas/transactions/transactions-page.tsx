import { MAX_TRANSACTIONS, type Transaction } from '@counterfoil/contract/transactions'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccount } from '../../shell/account.tsx'
import filters from '../../ui/form/filters.module.css'
import { formatNumber } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { DownloadTransactionsButton } from './download-transactions-button.tsx'
import { extraFields } from './extra-fields.ts'
import { periodName } from './period-names.ts'
import { transactionColumns } from './transaction-columns.tsx'
import { extraFieldLabelsQuery, transactionsQuery } from './transactions.data.ts'
import styles from './transactions.module.css'
import { usePeriodSelection } from './use-period-selection.ts'

const NO_ROWS: readonly Transaction[] = []

/** `/transactions`: the transactions of one billing period of an agreement. */
export const TransactionsPage = () => {
  const { branding } = useAccount()
  const selection = usePeriodSelection()
  const { agreement, period, agreements, periods } = selection
  const transactions = useQuery({ ...transactionsQuery(period?.id ?? 0), enabled: period !== undefined })
  const labels = useQuery({ ...extraFieldLabelsQuery(), enabled: extraFields(branding.flags, []).length > 0 })
  const extras = useMemo(() => extraFields(branding.flags, labels.data ?? []), [branding.flags, labels.data])
  const columns = useMemo(() => transactionColumns(branding.currencySymbol, extras), [branding.currencySymbol, extras])

  const busy = selection.isPending || (period !== undefined && (transactions.isPending || transactions.isPlaceholderData))
  const rows = busy || period !== undefined ? (transactions.data ?? NO_ROWS) : NO_ROWS
  const failedQuery = [agreements, periods, transactions].find(({ isError }) => isError)

  return (
    <Page
      title="Transactions"
      aside={
        <DownloadTransactionsButton
          loaded={busy || period === undefined || transactions.isError ? undefined : { period, rows }}
          extraFields={extras}
        />
      }
    >
      <div className={filters.filters}>
        <Select
          label="Agreement"
          options={(agreements.data ?? []).map(({ id, agreementName }) => ({ id: String(id), label: agreementName }))}
          value={String(agreement?.id ?? '')}
          onChange={(id) => selection.select('agreement', id)}
        />
        <Select
          label="Period"
          options={(periods.data ?? []).map((billingPeriod) => ({ id: String(billingPeriod.id), label: periodName(billingPeriod) }))}
          value={String(period?.id ?? '')}
          onChange={(id) => selection.select('period', id)}
        />
      </div>
      <DataGrid
        label="Transactions"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        resetKey={`${agreement?.id} ${period?.id}`}
        busy={busy}
        empty={
          failedQuery === undefined ? (
            'There are no data yet'
          ) : (
            <Unavailable subject="Transactions" onRetry={() => void failedQuery.refetch()} />
          )
        }
      />
      {rows.length === MAX_TRANSACTIONS && (
        <p className={styles.truncated}>
          Only the first {formatNumber(MAX_TRANSACTIONS)} transactions of this period are shown here and in the download.
        </p>
      )}
    </Page>
  )
}
