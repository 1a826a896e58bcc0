import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { type Account, AccountContext, type Look, lookOfBrand, lookOfDetails, PLAIN_SETTINGS } from './account.tsx'
import { brandQuery, meQuery, paymentDetailsQuery, settingsQuery } from '../api/account.data.ts'
import { applyBrand } from './theme/brand-theme.ts'
import { chosenCustomer } from './header/current-customer.ts'
import type { Person } from '../api/session.ts'
import { StartFailed } from './account-load-error.tsx'
import styles from './app.module.css'

/**
 * Loads what every screen needs, in the specified order: me, the choice of a customer, settings, payment details
 * (portal.md §4). The brand is public and loads beside them.
 */
export const StartUp = ({ person, children }: { person: Person; children: ReactNode }) => {
  const me = useQuery(meQuery())
  const customers = me.data?.customers
  const customer = useMemo(() => customers && chosenCustomer(customers), [customers])
  const settings = useQuery({ ...settingsQuery(), enabled: customer !== undefined })
  const details = useQuery({ ...paymentDetailsQuery(), enabled: !settings.isPending })
  const brand = useQuery(brandQuery(person.brandId))

  useEffect(() => {
    if (brand.data) applyBrand(brand.data)
  }, [brand.data])

  const look = useMemo<Look | undefined>(() => {
    if (brand.data) return lookOfBrand(brand.data)
    return brand.isError && details.data ? lookOfDetails(details.data) : undefined
  }, [brand.data, brand.isError, details.data])
  const known = settings.data ?? (settings.isError ? PLAIN_SETTINGS : undefined)
  const account = useMemo<Account | null>(
    // The screens and their own questions come after the specified ones, payment details among them.
    () => (customers && customer && known && look && !details.isPending ? { person, customers, customer, settings: known, look } : null),
    [person, customers, customer, known, look, details.isPending],
  )

  const again = (): void => {
    for (const query of [me, brand, details]) if (query.isError) void query.refetch()
  }
  const isStuck = me.isError || (brand.isError && details.isError)

  if (isStuck) return <StartFailed onAgain={again} />
  if (me.data && !customer) return <StartFailed noCustomer onAgain={() => void me.refetch()} />
  if (account === null) return <Waiting />
  return <AccountContext value={account}>{children}</AccountContext>
}

const Waiting = () => (
  <main className={styles.waiting}>
    <Spinner label="Loading your account" />
  </main>
)
