import type { Spending } from '@counterfoil/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { spendingQuery } from '../../api/dashboard.data.ts'
import { formatMoney } from '../../format/format.ts'
import { useAccount } from '../../shell/account/account.tsx'
import { invoiceNouns } from '../../shell/account/invoice-labels.ts'
import { Page } from '../../shell/page.tsx'
import { DASHBOARD_PATH, SPENDING_PATH } from '../../shell/navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import back from '../../ui/layout/back-link.module.css'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './spending.module.css'
import { SpendingChart } from './spending-chart.tsx'
import { MonthTable, PartTable, showFromTop } from './spending-tables.tsx'
import { comparedMonthsNote, comparisonText, spendingNote } from './spending-texts.ts'
import { spendingCurrencies, spendingParts, spendingYears } from './spending-years.ts'
import { TilePlaceholder } from './tile-placeholder.tsx'

/** `/spending`: what was invoiced in the last twelve months beside the year before, in all or for the service of the address (EASE-08). */
export const SpendingPage = () => {
  const { settings } = useAccount()
  const [search] = useSearchParams()
  const { data, isFetching, isError, refetch } = useQuery(spendingQuery())
  const loadState = { isBusy: isFetching && !data, isFailed: isError, onRetry: () => void refetch() }
  const currencies = data && spendingCurrencies(data)
  return (
    <>
      <Link className={back.back} to={DASHBOARD_PATH}>
        <Icon name="left" />
        Back to the dashboard
      </Link>
      <Page title="Spending">
        <div className={styles.page}>
          <p className={styles.muted}>{spendingNote(invoiceNouns(settings).plural)}</p>
          {currencies === undefined && (
            <Tile title="The last 12 months" minHeight={334}>
              <TilePlaceholder subject="Spending" loadState={loadState} />
            </Tile>
          )}
          {currencies?.length === 0 && (
            <Tile title="The last 12 months">
              <p className={styles.muted}>There are no data yet</p>
            </Tile>
          )}
          {data &&
            currencies?.map((currency) => (
              <CurrencySpending
                key={currency}
                spending={data}
                currency={currency}
                // Where there is one currency, the symbol at the amounts says which.
                heading={currencies.length === 1 ? '' : ` in ${currency}`}
                service={search.get('service')}
              />
            ))}
        </div>
      </Page>
    </>
  )
}

interface CurrencySpendingProps {
  spending: readonly Spending[]
  currency: string
  heading: string
  service: string | null
}

/** The spending in one currency, in all or of the chosen service: sum, comparison, chart, and tables by service and by month. */
const CurrencySpending = ({ spending, currency, heading, service }: CurrencySpendingProps) => {
  const parts = spendingParts(spending, currency)
  // An address may name a service that is not there any more.
  const chosen = parts.some(({ kind, serviceName }) => kind === 'service' && serviceName === service) ? service : null
  const years = spendingYears(spending, currency, chosen)
  const title = `${chosen ?? 'The last 12 months'}${heading}`
  return (
    <>
      <Tile
        title={title}
        aside={
          chosen !== null && (
            <Link to={SPENDING_PATH} onClick={showFromTop}>
              All services
            </Link>
          )
        }
      >
        <p className={styles.figure}>{formatMoney(years.amount, years.symbol)}</p>
        <p>{comparisonText(years)}</p>
        <p className={styles.muted}>{comparedMonthsNote(years)}</p>
        <SpendingChart label={title} years={years} />
      </Tile>
      <div className={styles.tables}>
        <Tile title={`By service${heading}`}>
          <PartTable label={`By service${heading}`} parts={parts} years={spendingYears(spending, currency)} chosen={chosen} />
        </Tile>
        <Tile title={`By month${heading}`}>
          <MonthTable label={`By month${heading}`} years={years} />
        </Tile>
      </div>
    </>
  )
}
