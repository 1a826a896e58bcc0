import { openSections, type Section, isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import { hasPaymentMethods } from '@counterfoil/contract/kit/payments/payment-type'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { type Account, type Look, useAccount } from './account.tsx'
import { NotFound } from './not-found.tsx'
import { DASHBOARD, INVOICES, isBuilt, SETTINGS, sectionOf } from './paths.ts'

export interface MenuSection {
  readonly path: string
  readonly label: string
}

/** The sections that this brand shows and that have a screen, in order, under the labels of this brand. */
export const menuSections = ({ look, settings }: Pick<Account, 'look' | 'settings'>): readonly MenuSection[] =>
  openSections(look.flags)
    .filter(({ route }) => isBuilt(route))
    .map((section) => ({ path: section.route, label: labelOf(section, look, settings) }))

/** The first address for this brand: its first section with a screen, else /settings. */
export const homePath = (account: Pick<Account, 'look' | 'settings'>): string => menuSections(account)[0]?.path ?? SETTINGS

/** May this address be shown under these flags? An address of no section always may. */
export const isOpen = (path: string, look: Look): boolean => {
  const section = sectionOf(path)
  return section === undefined || isAnySectionOpen([section.name], look.flags)
}

/** Where a screen sends those whom it is not for: to the dashboard, or to `/` where the brand has none (portal.md §2). */
export const dashboardPath = (look: Look): string => (isOpen(DASHBOARD, look) ? DASHBOARD : '/')

/** Where those go who were to pay and have nothing to pay: to the invoices, or to `/` where the brand has no such list. */
export const invoicesPath = (look: Look): string => (isOpen(INVOICES, look) ? INVOICES : '/')

/**
 * Does the Settings dropdown offer Payment Types? For the seven payment companies; from customer users it can be hidden.
 * Source: portal.md §2 (Header), §6.
 */
export const offersPaymentTypes = (paymentType: number, isSuperUser: boolean, hiddenForCustomerUsers: boolean): boolean =>
  hasPaymentMethods(paymentType) && (isSuperUser || !hiddenForCustomerUsers)

/** `/`: goes on to the first allowed section. */
export const Home = () => {
  const account = useAccount()
  return <Navigate to={homePath(account)} replace />
}

/** Lets a screen through only where its brand flag is on; elsewhere its address does not exist. */
export const SectionGuard = ({ path, children }: { path: string; children: ReactNode }) => {
  const { look } = useAccount()
  return isOpen(path, look) ? children : <NotFound />
}

const labelOf = ({ label }: Section, look: Look, settings: Account['settings']): string => {
  if (typeof label === 'string') return label
  return label.from === 'invoiceLabelPlural' ? settings.invoiceLabel.plural || 'Invoices' : look.serviceItemLabel
}
