import type { PortalSettings } from '@counterfoil/contract/portal-settings'
import { HOME_ORDER, isAnySectionOpen, openSections, type Section } from '@counterfoil/contract/kit/sections'
import { hasPaymentMethods } from '@counterfoil/contract/kit/payments/payment-type'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { type SignedInAccount, type Branding, useAccount } from '../account/account.tsx'
import { invoiceLabels } from '../account/invoice-labels.ts'
import { NotFound } from './not-found.tsx'
import { DASHBOARD_PATH, INVOICES_PATH, isScreenPath, SETTINGS_PATH, sectionOf } from './paths.ts'

export interface MenuSection {
  readonly path: string
  readonly label: string
}

/** The enabled sections, in order, with the brand's labels. */
export const menuSections = ({ branding, settings }: Pick<SignedInAccount, 'branding' | 'settings'>): readonly MenuSection[] =>
  openSections(branding.flags)
    .filter(({ route }) => isScreenPath(route))
    .map((section) => ({ path: section.route, label: labelOf(section, branding, settings) }))

/** The URL path of this brand's start page: its first enabled section, else /settings. */
export const homePath = (account: Pick<SignedInAccount, 'branding' | 'settings'>): string => {
  const open = new Set(menuSections(account).map(({ path }) => path))
  const first = HOME_ORDER.find((name) => open.has(`/${name}`))
  return first === undefined ? SETTINGS_PATH : `/${first}`
}

/** Is this URL path enabled by the brand's flags? A path of no section always is. */
export const isPathEnabled = (path: string, branding: Branding): boolean => {
  const section = sectionOf(path)
  return section === undefined || isAnySectionOpen([section.name], branding.flags)
}

/** The URL path to which screens redirect users who may not see them: the dashboard, or `/` when it is disabled. */
export const dashboardPath = (branding: Branding): string => (isPathEnabled(DASHBOARD_PATH, branding) ? DASHBOARD_PATH : '/')

/** The URL path of the invoices, to which pay screens redirect when there is nothing to pay; `/` when the invoices are disabled. */
export const invoicesPath = (branding: Branding): string => (isPathEnabled(INVOICES_PATH, branding) ? INVOICES_PATH : '/')

/**
 * Does the Settings menu offer Payment Types? Only where customers pay, through a provider that stores methods; it can be hidden from
 * customer users (NAV-06).
 */
export const offersPaymentTypes = (
  { enabled, paymentType }: Pick<PortalSettings['payments'], 'enabled' | 'paymentType'>,
  isSuperUser: boolean,
  isHiddenForCustomerUsers: boolean,
): boolean => enabled && hasPaymentMethods(paymentType) && (isSuperUser || !isHiddenForCustomerUsers)

/** `/`: redirects to the brand's start page, which is the first section that the brand has enabled, or else the settings. */
export const HomeRedirect = () => {
  const account = useAccount()
  return <Navigate to={homePath(account)} replace />
}

/** Shows a screen when the brand has enabled its section, else the not-found page. */
export const SectionGuard = ({ path, children }: { path: string; children: ReactNode }) => {
  const { branding } = useAccount()
  return isPathEnabled(path, branding) ? children : <NotFound />
}

/** The section's label in the menu: a fixed one, or the brand's word for invoices or for service items. */
const labelOf = ({ label }: Section, branding: Branding, settings: SignedInAccount['settings']): string => {
  if (typeof label === 'string') return label
  return label.from === 'invoiceLabelPlural' ? invoiceLabels(settings).plural : branding.serviceItemLabel
}
