import { MAX_TRANSACTIONS, type Transaction } from '@counterfoil/contract/transactions'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { symbolFor, useAccount } from '../../shell/account/account.tsx'
import filters from '../../ui/form/filters.module.css'
import { formatNumber } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { INVOICES_PATH } from '../../shell/navigation/paths.ts'
import { isPathEnabled } from '../../shell/navigation/sections.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Select } from '../../ui/form/select.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { DownloadTransactionsButton } from './download-transactions-button.tsx'
import { extraFields } from './extra-fields.ts'
import { periodName } from './period-names.ts'
import { transactionColumns } from './transaction-columns.tsx'
import { extraFieldLabelsQuery, transactionsQuery } from './transactions.data.ts'
import styles from './transactions.module.css'
import { transactionSearch } from './transaction-search.ts'
import { countText, priceTexts, transactionSums } from './transaction-sums.tsx'
import { useTransactionView } from './use-transaction-view.ts'

const NO_ROWS: readonly Transaction[] = []

/** `/transactions`: the transactions of one billing period of an agreement. */
export const TransactionsPage = () => {
  const { branding, customer } = useAccount()
  const view = useTransactionView()
  const { agreement, period, agreements, periods, search } = view
  const transactions = useQuery({ ...transactionsQuery(period?.id ?? 0), enabled: period !== undefined })
  const labels = useQuery({ ...extraFieldLabelsQuery(), enabled: extraFields(branding.flags, []).length > 0 })
  const extras = useMemo(() => extraFields(branding.flags, labels.data ?? []), [branding.flags, labels.data])
  const columns = useMemo(
    () =>
      transactionColumns({
        symbolOf: (currency) => symbolFor(customer, currency),
        extraFields: extras,
        linksInvoices: isPathEnabled(INVOICES_PATH, branding),
      }),
    [branding, customer, extras],
  )

  const busy = view.isPending || (period !== undefined && (transactions.isPending || transactions.isPlaceholderData))
  const allRows = busy || period !== undefined ? (transactions.data ?? NO_ROWS) : NO_ROWS
  const findRows = useMemo(() => transactionSearch(allRows), [allRows])
  const rows = useMemo(() => findRows(search), [findRows, search])
  const sums = useMemo(() => transactionSums(rows, (currency) => symbolFor(customer, currency)), [rows, customer])
  const summary = useMemo(
    () => (
      <>
        <span className={styles.total}>
          Total <strong>{priceTexts(rows, (currency) => symbolFor(customer, currency)).join(' and ')}</strong>
        </span>
        {countText(rows.length)}
      </>
    ),
    [rows, customer],
  )
  const emptyText = allRows.length === 0 ? 'There are no data yet' : 'No results match your search'
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
      <div className={`${filters.filters} ${filters.pairs}`}>
        <Select
          label="Agreement"
          options={(agreements.data ?? []).map(({ id, agreementName }) => ({ id: String(id), label: agreementName }))}
          value={String(agreement?.id ?? '')}
          onChange={(id) => view.select('agreement', id)}
        />
        <Select
          label="Period"
          options={(periods.data ?? []).map((billingPeriod) => ({ id: String(billingPeriod.id), label: periodName(billingPeriod) }))}
          value={String(period?.id ?? '')}
          onChange={(id) => view.select('period', id)}
        />
        <TextField
          label="Search"
          type="search"
          placeholder="Product, service, site…"
          autoComplete="off"
          value={search}
          onChange={view.setSearch}
        />
      </div>
      <DataGrid
        label="Transactions"
        columns={columns}
        rows={rows}
        sums={sums}
        summary={busy || rows.length === 0 ? '' : summary}
        rowKey={({ id }) => String(id)}
        resetKey={`${agreement?.id} ${period?.id} ${search}`}
        busy={busy}
        empty={failedQuery === undefined ? emptyText : <Unavailable subject="Transactions" onRetry={() => void failedQuery.refetch()} />}
      />
      {allRows.length === MAX_TRANSACTIONS && (
        <p className={styles.truncated}>
          Only the first {formatNumber(MAX_TRANSACTIONS)} transactions of this period are shown here and in the download.
        </p>
      )}
    </Page>
  )
}
