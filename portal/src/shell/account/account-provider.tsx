import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { choosePageLocale, pageLocale } from '../../format/locale.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import {
  type SignedInAccount,
  AccountContext,
  type Branding,
  brandingFromBrand,
  brandingFromDetails,
  DEFAULT_SETTINGS,
  PENDING_SETTINGS,
} from './account.tsx'
import { brandQuery, meQuery, paymentDetailsQuery, settingsQuery } from '../../api/account.data.ts'
import { applyBrandIcons } from '../theme/brand-icons.ts'
import { applyBrand } from '../theme/brand-theme.ts'
import { chooseStartCustomer } from '../header/current-customer.ts'
import type { User } from '../../api/session.ts'
import { AccountLoadError } from './account-load-error.tsx'
import styles from '../app.module.css'

/**
 * Loads what every screen needs, in this order: the user's customers, settings, payment details (SESS-05).
 * The brand is public and loads in parallel. The frame stands as soon as brand and customers are known.
 */
export const AccountProvider = ({ user, children }: { user: User; children: ReactNode }) => {
  const me = useQuery(meQuery())
  const customers = me.data?.customers
  const customer = useMemo(() => customers && chooseStartCustomer(customers), [customers])
  const locale = useMemo(() => localeOf(me.data?.numberLocale ?? null), [me.data?.numberLocale])
  const settings = useQuery({ ...settingsQuery(), enabled: customer !== undefined })
  const details = useQuery({ ...paymentDetailsQuery(), enabled: !settings.isPending })
  const brand = useQuery(brandQuery(user.brandId))

  useEffect(() => {
    if (brand.data === undefined) return
    applyBrand(brand.data)
    applyBrandIcons(brand.data.id)
  }, [brand.data])

  const branding = useMemo<Branding | undefined>(() => {
    if (brand.data) return brandingFromBrand(brand.data)
    return brand.isError && details.data ? brandingFromDetails(details.data) : undefined
  }, [brand.data, brand.isError, details.data])
  const knownSettings = settings.data ?? (settings.isError ? DEFAULT_SETTINGS : undefined)
  const account = useMemo<SignedInAccount | null>(
    () =>
      customers && customer && branding
        ? {
            user,
            customers,
            customer,
            settings: knownSettings ?? PENDING_SETTINGS,
            branding,
            locale,
            // The screens send their requests only after the payment details have arrived.
            isReady: knownSettings !== undefined && !details.isPending,
          }
        : null,
    [user, customers, customer, knownSettings, branding, locale, details.isPending],
  )

  const retry = (): void => {
    for (const query of [me, brand, details]) if (query.isError) void query.refetch()
  }
  const hasFailed = me.isError || (brand.isError && details.isError)

  if (hasFailed) return <AccountLoadError onRetry={retry} />
  if (me.data && !customer) return <AccountLoadError hasNoCustomer onRetry={() => void me.refetch()} />
  if (account === null) return <AccountLoading />
  return (
    <I18nProvider locale={locale}>
      <AccountContext value={account}>{children}</AccountContext>
    </I18nProvider>
  )
}

/** Makes the chosen locale, or without one the browser's, that of every number and date, and returns it. */
const localeOf = (chosen: string | null): string => {
  choosePageLocale(chosen)
  return pageLocale()
}

/** Stands for the whole page while the signed-in user's account loads. */
const AccountLoading = () => (
  <main className={styles.waiting}>
    <Spinner label="Loading your account" />
  </main>
)
