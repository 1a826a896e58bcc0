import { openSections, type Section, isAnySectionOpen } from '@counterfoil/contract/kit/sections'
import { hasPaymentMethods } from '@counterfoil/contract/kit/payments/payment-type'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { type Account, type Branding, useAccount } from './account.tsx'
import { NotFound } from './not-found.tsx'
import { DASHBOARD_PATH, INVOICES_PATH, isScreenPath, SETTINGS_PATH, sectionOf } from './paths.ts'

export interface MenuSection {
  readonly path: string
  readonly label: string
}

/** The sections that this brand shows and that have a screen, in order, under the labels of this brand. */
export const menuSections = ({ branding, settings }: Pick<Account, 'branding' | 'settings'>): readonly MenuSection[] =>
  openSections(branding.flags)
    .filter(({ route }) => isScreenPath(route))
    .map((section) => ({ path: section.route, label: labelOf(section, branding, settings) }))

/** The first address for this brand: its first section with a screen, else /settings. */
export const homePath = (account: Pick<Account, 'branding' | 'settings'>): string => menuSections(account)[0]?.path ?? SETTINGS_PATH

/** May this address be shown under these flags? An address of no section always may. */
export const isPathEnabled = (path: string, branding: Branding): boolean => {
  const section = sectionOf(path)
  return section === undefined || isAnySectionOpen([section.name], branding.flags)
}

/** Where a screen sends those whom it is not for: to the dashboard, or to `/` where the brand has none (portal.md §2). */
export const dashboardPath = (branding: Branding): string => (isPathEnabled(DASHBOARD_PATH, branding) ? DASHBOARD_PATH : '/')

/** Where those go who were to pay and have nothing to pay: to the invoices, or to `/` where the brand has no such list. */
export const invoicesPath = (branding: Branding): string => (isPathEnabled(INVOICES_PATH, branding) ? INVOICES_PATH : '/')

/**
 * Does the Settings dropdown offer Payment Types? For the seven payment companies; from customer users it can be hidden.
 * Source: portal.md §2 (Header), §6.
 */
export const offersPaymentTypes = (paymentType: number, isSuperUser: boolean, isHiddenForCustomerUsers: boolean): boolean =>
  hasPaymentMethods(paymentType) && (isSuperUser || !isHiddenForCustomerUsers)

/** `/`: goes on to the first allowed section. */
export const HomeRedirect = () => {
  const account = useAccount()
  return <Navigate to={homePath(account)} replace />
}

/** Lets a screen through only where its brand flag is on; elsewhere its address does not exist. */
export const SectionGuard = ({ path, children }: { path: string; children: ReactNode }) => {
  const { branding } = useAccount()
  return isPathEnabled(path, branding) ? children : <NotFound />
}

const labelOf = ({ label }: Section, branding: Branding, settings: Account['settings']): string => {
  if (typeof label === 'string') return label
  return label.from === 'invoiceLabelPlural' ? settings.invoiceLabel.plural || 'Invoices' : branding.serviceItemLabel
}
