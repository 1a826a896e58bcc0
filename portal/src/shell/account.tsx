import type { BrandFlags, BrandSettings } from '@counterfoil/contract/brands'
import type { Customer } from '@counterfoil/contract/customers'
import type { PaymentDetails, PortalSettings } from '@counterfoil/contract/portal-settings'
import { createContext, use } from 'react'
import type { User } from '../api/session.ts'

/** Flags, labels and currency of the brand; from the payment details when the brand could not be loaded. */
export interface Branding {
  readonly flags: Readonly<Record<keyof typeof BrandFlags, boolean>>
  readonly currencySymbol: string
  readonly serviceItemLabel: string
  /** The colour that the logo was designed for; it stays behind the logo in the dark scheme too. */
  readonly logoBackground: string | undefined
}

/** The signed-in user, the chosen customer, and their settings and branding. Every screen of the signed-in app has it. */
export interface Account {
  readonly user: User
  readonly customers: readonly Customer[]
  readonly customer: Customer
  readonly settings: PortalSettings
  readonly branding: Branding
}

export const AccountContext = createContext<Account | null>(null)

/** The account that AccountProvider has loaded. */
export const useAccount = (): Account => {
  const account = use(AccountContext)
  if (account === null) throw new Error('useAccount is for screens inside the started app')
  return account
}

/** Used when the settings could not be loaded: the default labels, and no payments. */
export const DEFAULT_SETTINGS: PortalSettings = {
  invoiceLabel: { singular: 'Invoice', plural: 'Invoices' },
  companyName: '',
  payments: { enabled: false, bulk: false, paymentType: 0, billingAddressRequired: false, emailReceipt: false },
}

const DEFAULT_SERVICE_ITEM_LABEL = 'Service Item'

/** The branding of a loaded brand. */
export const brandingFromBrand = (brand: BrandSettings): Branding => ({
  flags: brand,
  currencySymbol: brand.currencySymbol,
  serviceItemLabel: brand.endServiceItemDisplayName || DEFAULT_SERVICE_ITEM_LABEL,
  logoBackground: brand.colour1,
})

/** The branding as far as the payment details have it. */
export const brandingFromDetails = (details: PaymentDetails): Branding => ({
  flags: details,
  currencySymbol: details.currencySymbol.symbol,
  serviceItemLabel: DEFAULT_SERVICE_ITEM_LABEL,
  logoBackground: undefined,
})
