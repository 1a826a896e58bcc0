import { MOST_TRANSACTIONS, type Transaction } from '@counterfoil/contract/transactions'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccount } from '../../shell/account.tsx'
import filters from '../../ui/form/filters.module.css'
import { formatNumber } from '../../format/format.ts'
import { Page } from '../../shell/page.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { DownloadTransactions } from './download-transactions-button.tsx'
import { extraFields } from './extra-fields.ts'
import { periodName } from './period-names.ts'
import { transactionColumns } from './transaction-columns.tsx'
import { extraFieldLabelsQuery, transactionsQuery } from './transactions.data.ts'
import styles from './transactions.module.css'
import { usePeriodChoice } from './use-period-choice.ts'

const NONE: readonly Transaction[] = []

/** `/transactions`: what a billing period of an agreement was billed for. */
export const TransactionsPage = () => {
  const { look } = useAccount()
  const choice = usePeriodChoice()
  const { agreement, period, agreements, periods } = choice
  const list = useQuery({ ...transactionsQuery(period?.id ?? 0), enabled: period !== undefined })
  const labels = useQuery({ ...extraFieldLabelsQuery(), enabled: extraFields(look.flags, []).length > 0 })
  const extras = useMemo(() => extraFields(look.flags, labels.data ?? []), [look.flags, labels.data])
  const columns = useMemo(() => transactionColumns(look.currencySymbol, extras), [look.currencySymbol, extras])

  const busy = choice.isPending || (period !== undefined && (list.isPending || list.isPlaceholderData))
  const rows = busy || period !== undefined ? (list.data ?? NONE) : NONE
  const failed = [agreements, periods, list].find(({ isError }) => isError)

  return (
    <Page
      title="Transactions"
      aside={<DownloadTransactions loaded={busy || period === undefined || list.isError ? undefined : { period, rows }} extras={extras} />}
    >
      <div className={filters.filters}>
        <Select
          label="Agreement"
          options={(agreements.data ?? []).map(({ id, agreementName }) => ({ id: String(id), label: agreementName }))}
          value={String(agreement?.id ?? '')}
          onChange={(id) => choice.choose('agreement', id)}
        />
        <Select
          label="Period"
          options={(periods.data ?? []).map((one) => ({ id: String(one.id), label: periodName(one) }))}
          value={String(period?.id ?? '')}
          onChange={(id) => choice.choose('period', id)}
        />
      </div>
      <DataGrid
        label="Transactions"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        chosenBy={`${agreement?.id} ${period?.id}`}
        busy={busy}
        empty={failed === undefined ? 'There are no data yet' : <Unavailable what="Transactions" onAgain={() => void failed.refetch()} />}
      />
      {rows.length === MOST_TRANSACTIONS && (
        <p className={styles.cut}>
          Only the first {formatNumber(MOST_TRANSACTIONS)} transactions of this period are shown here and in the download.
        </p>
      )}
    </Page>
  )
}
