import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../shell/account.tsx'
import { invoiceLabels } from '../../shell/invoice-labels.ts'
import { formatMoney } from '../../format/format.ts'
import { Tag } from '../../ui/feedback/tag.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { openingBalanceQuery } from '../../api/dashboard.data.ts'
import styles from './dashboard.module.css'
import { TilePlaceholder } from './tile-placeholder.tsx'

/** The opening balance, 0.00 if none is recorded. Shown only with the brand's flag (DASH-01). */
export const BalanceTile = ({ overdue }: { overdue: number }) => {
  const { branding, settings } = useAccount()
  const { data, isFetching, isError, refetch } = useQuery(openingBalanceQuery())
  const loadState = { isBusy: isFetching && !data, isFailed: isError, onRetry: () => void refetch() }
  return (
    <Tile
      title="Opening balance"
      minHeight={136}
      aside={overdue > 0 && <Tag tone="warn">{overdueText(overdue, invoiceLabels(settings))}</Tag>}
    >
      {data ? (
        <>
          <p className={styles.figure}>{formatMoney(data.balance ?? 0, branding.currencySymbol)}</p>
          <p className={styles.muted}>Due at the start of the current period</p>
        </>
      ) : (
        <TilePlaceholder subject="The opening balance" loadState={loadState} />
      )}
    </Tile>
  )
}

const overdueText = (count: number, { singular, plural }: ReturnType<typeof invoiceLabels>): string =>
  `${count} ${count === 1 ? singular : plural} overdue`
