import type { Spending } from '@counterfoil/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { spendingQuery } from '../../api/dashboard.data.ts'
import { formatMoney } from '../../format/format.ts'
import { SPENDING_PATH } from '../../shell/navigation/paths.ts'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './spending.module.css'
import { SpendingChart } from './spending-chart.tsx'
import { comparedMonthsNote, comparisonText, partLabel } from './spending-texts.ts'
import { spendingCurrencies, spendingParts, spendingYears, withOthersTogether } from './spending-years.ts'
import { TilePlaceholder } from './tile-placeholder.tsx'

const TITLE = 'Spending over 12 months'
const MAX_SERVICES = 4

/**
 * What was invoiced in the last twelve months beside the year before, and for which services (EASE-08). Only in the currency that has the
 * most months.
 */
export const SpendingTile = () => {
  const { data, isFetching, isError, refetch } = useQuery(spendingQuery())
  const loadState = { isBusy: isFetching && !data, isFailed: isError, onRetry: () => void refetch() }
  const currency = data && spendingCurrencies(data)[0]
  return (
    <Tile
      title={TITLE}
      minHeight={loadState.isBusy ? 334 : 0}
      aside={currency !== undefined && <Link to={SPENDING_PATH}>All spending</Link>}
    >
      {!data && <TilePlaceholder subject={TITLE} loadState={loadState} />}
      {data && currency === undefined && <p className={styles.muted}>There are no data yet</p>}
      {data && currency !== undefined && <SpendingContent spending={data} currency={currency} />}
    </Tile>
  )
}

/** The spending in one currency: sum, comparison, the largest services and a chart. */
const SpendingContent = ({ spending, currency }: { spending: readonly Spending[]; currency: string }) => {
  const years = spendingYears(spending, currency)
  const parts = withOthersTogether(spendingParts(spending, currency), MAX_SERVICES)
  return (
    <div className={styles.overview}>
      <div>
        <p className={styles.amount}>{formatMoney(years.amount, years.symbol)}</p>
        <p>{comparisonText(years)}</p>
        <p className={styles.muted}>{comparedMonthsNote(years)}</p>
        <dl className={styles.parts}>
          {parts.map((part) => (
            <div key={`${part.kind} ${part.serviceName}`}>
              <dt>{partLabel(part)}</dt>
              <dd>{formatMoney(part.amount, years.symbol)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <SpendingChart label={TITLE} years={years} />
    </div>
  )
}
