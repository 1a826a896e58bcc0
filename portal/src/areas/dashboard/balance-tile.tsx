import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../shell/account/account.tsx'
import { formatDay, formatMoney } from '../../format/format.ts'
import { Tile } from '../../ui/layout/tile.tsx'
import { openingBalanceQuery } from '../../api/dashboard.data.ts'
import styles from './dashboard.module.css'
import { TilePlaceholder } from './tile-placeholder.tsx'

/** In pixels. */
const MIN_HEIGHT = 90

/** The opening balance with the day for which it stands, 0.00 if none is recorded. Shown only with the brand's flag (DASH-01). */
export const BalanceTile = () => {
  const { customer } = useAccount()
  const { data, isFetching, isError, refetch } = useQuery(openingBalanceQuery())
  const loadState = { isBusy: isFetching && !data, isFailed: isError, onRetry: () => void refetch() }
  return (
    <Tile
      title="Opening balance"
      minHeight={MIN_HEIGHT}
      aside={data && data.asOf !== null && <span className={styles.muted}>On {formatDay(data.asOf)}</span>}
    >
      {data ? (
        <p className={styles.balance}>{formatMoney(data.balance ?? 0, customer.currencySymbol)}</p>
      ) : (
        <TilePlaceholder subject="The opening balance" loadState={loadState} />
      )}
    </Tile>
  )
}
