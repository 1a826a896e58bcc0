import { JASPER_RESELLER } from '@counterfoil/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccount } from '../../shell/account.tsx'
import { invoicesQuery } from '../../shell/invoices.data.ts'
import { Page } from '../../shell/page.tsx'
import { BalanceTile } from './balance-tile.tsx'
import { BundlesTile } from './bundles-tile.tsx'
import { MonthUsageTile, PeriodUsageTile } from './data-usage-tiles.tsx'
import styles from './dashboard.module.css'
import { invoiceFigures, withoutDuplicates } from './invoice-figures.ts'
import { InvoiceGraphTile } from './invoice-graph-tile.tsx'
import { PreviousInvoicesTile } from './previous-invoices-tile.tsx'
import { RecentInvoiceTile } from './recent-invoice-tile.tsx'
import { SummaryTile } from './summary-tile.tsx'

/** `/dashboard`: what is owed and why, first; then what is used. Each tile loads and fails alone (portal.md §2, Dashboard). */
export const DashboardPage = () => {
  const { customer, look, person } = useAccount()
  const query = useQuery(invoicesQuery())
  const invoices = useMemo(() => query.data && withoutDuplicates(query.data), [query.data])
  const figures = invoices && invoiceFigures(invoices)
  const hasInvoices = invoices === undefined || invoices.length > 0
  const wait = { isBusy: query.isFetching && !invoices, isFailed: query.isError, onAgain: () => void query.refetch() }

  return (
    <Page title="Dashboard" aside={<p className={styles.customer}>{customer.label}</p>}>
      <div className={styles.tiles}>
        <div className={hasInvoices ? styles.two : styles.even}>
          <div className={styles.stack}>
            {look.flags.endShowOpeningBalance && <BalanceTile overdue={figures?.overdue ?? 0} />}
            <RecentInvoiceTile invoice={invoices?.[0]} wait={wait} />
            {hasInvoices && <SummaryTile figures={figures} symbol={invoices?.[0]?.currencySymbol ?? ''} wait={wait} />}
          </div>
          {hasInvoices && (
            <div className={styles.stack}>
              <InvoiceGraphTile invoices={invoices} wait={wait} />
              <PreviousInvoicesTile invoices={invoices} wait={wait} />
            </div>
          )}
        </div>
        <BundlesTile />
        {person.resellerId === JASPER_RESELLER && (
          <div className={styles.pair}>
            <PeriodUsageTile />
            <MonthUsageTile />
          </div>
        )}
      </div>
    </Page>
  )
}
