import { JASPER_RESELLER } from '@counterfoil/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useAccount } from '../../shell/account/account.tsx'
import { invoicesQuery } from '../../api/invoices.data.ts'
import { Page } from '../../shell/page.tsx'
import { onPaidElsewhere } from '../../payments/outcome/payment-broadcast.ts'
import { BalanceTile } from './balance-tile.tsx'
import { BundlesTile } from './bundles-tile.tsx'
import { MonthUsageTile, PeriodUsageTile } from './data-usage-tiles.tsx'
import styles from './dashboard.module.css'
import { withoutDuplicates } from './dues.ts'
import { DueTile } from './due-tile.tsx'
import { InvoiceGraphTile } from './invoice-graph-tile.tsx'
import { PreviousInvoicesTile } from './previous-invoices-tile.tsx'
import { RecentInvoiceTile } from './recent-invoice-tile.tsx'
import { SpendingTile } from './spending-tile.tsx'

/** `/dashboard`: what is due, then invoices, spending and usage. Each tile loads and fails on its own (DASH-07). */
export const DashboardPage = () => {
  const { customer, branding, user } = useAccount()
  const query = useQuery(invoicesQuery())
  const invoices = useMemo(() => query.data && withoutDuplicates(query.data), [query.data])
  const showsInvoices = invoices ? invoices.length > 0 : !query.isError || query.isFetching
  const { refetch } = query
  useEffect(() => onPaidElsewhere(() => void refetch()), [refetch])
  const loadState = { isBusy: query.isFetching && !invoices, isFailed: query.isError, onRetry: () => void refetch() }

  return (
    <Page title="Dashboard" aside={<p className={styles.customer}>{customer.label}</p>}>
      <div className={styles.tiles}>
        <div className={showsInvoices ? styles.twoStacks : styles.singleStack}>
          <div className={styles.stack}>
            <DueTile invoices={invoices} loadState={loadState} />
            {branding.flags.endShowOpeningBalance && <BalanceTile />}
            <RecentInvoiceTile invoice={invoices?.[0]} loadState={loadState} />
          </div>
          {showsInvoices && (
            <div className={styles.stack}>
              <InvoiceGraphTile invoices={invoices} />
              <PreviousInvoicesTile invoices={invoices} />
            </div>
          )}
        </div>
        <SpendingTile />
        <BundlesTile />
        {user.resellerId === JASPER_RESELLER && (
          <div className={styles.pair}>
            <PeriodUsageTile />
            <MonthUsageTile />
          </div>
        )}
      </div>
    </Page>
  )
}
