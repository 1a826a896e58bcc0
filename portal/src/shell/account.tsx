import type { BrandFlags, BrandSettings } from '@counterfoil/contract/brands'
import type { Customer } from '@counterfoil/contract/customers'
import type { PaymentDetails, PortalSettings } from '@counterfoil/contract/portal-settings'
import { createContext, use } from 'react'
import type { User } from '../api/session.ts'

/** What the brand says, from the brand itself or, where it could not be loaded, from the payment details. */
export interface Branding {
  readonly flags: Readonly<Record<keyof typeof BrandFlags, boolean>>
  readonly currencySymbol: string
  readonly serviceItemLabel: string
  /** What the brand's logo was drawn for: it stays behind the logo when the scheme turns everything else dark. */
  readonly logoBackground: string | undefined
}

/** Who is signed in, for whom, and how this brand and customer are set up. Known to every screen of the signed-in app. */
export interface Account {
  readonly user: User
  readonly customers: readonly Customer[]
  readonly customer: Customer
  readonly settings: PortalSettings
  readonly branding: Branding
}

export const AccountContext = createContext<Account | null>(null)

/** The account that the start-up has loaded. */
export const useAccount = (): Account => {
  const account = use(AccountContext)
  if (account === null) throw new Error('useAccount is for screens inside the started app')
  return account
}

/** Settings where the server gave none: its own defaults for labels, and no payments. Source: portal.md §3. */
export const DEFAULT_SETTINGS: PortalSettings = {
  invoiceLabel: { singular: 'Invoice', plural: 'Invoices' },
  companyName: '',
  payments: { enabled: false, bulk: false, paymentType: 0, billingAddressRequired: false, emailReceipt: false },
}

const DEFAULT_SERVICE_ITEM_LABEL = 'Service Item'

/** The look of a loaded brand. */
export const brandingFromBrand = (brand: BrandSettings): Branding => ({
  flags: brand,
  currencySymbol: brand.currencySymbol,
  serviceItemLabel: brand.endServiceItemDisplayName || DEFAULT_SERVICE_ITEM_LABEL,
  logoBackground: brand.colour1,
})

/** The look as far as the payment details tell it. */
export const brandingFromDetails = (details: PaymentDetails): Branding => ({
  flags: details,
  currencySymbol: details.currencySymbol.symbol,
  serviceItemLabel: DEFAULT_SERVICE_ITEM_LABEL,
  logoBackground: undefined,
})
