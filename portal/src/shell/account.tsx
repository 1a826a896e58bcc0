import type { BrandFlags, BrandSettings } from '@counterfoil/contract/brands'
import type { Customer } from '@counterfoil/contract/customers'
import type { PaymentDetails, PortalSettings } from '@counterfoil/contract/portal-settings'
import { createContext, use } from 'react'
import type { Person } from '../api/session.ts'

/** What the brand says, from the brand itself or, where it could not be loaded, from the payment details. */
export interface Look {
  readonly flags: Readonly<Record<keyof typeof BrandFlags, boolean>>
  readonly currencySymbol: string
  readonly serviceItemLabel: string
  /** What the brand's logo was drawn for: it stays behind the logo when the scheme turns everything else dark. */
  readonly logoGround: string | undefined
}

/** Who is signed in, for whom, and how this brand and customer are set up. Known to every screen of the signed-in app. */
export interface Account {
  readonly person: Person
  readonly customers: readonly Customer[]
  readonly customer: Customer
  readonly settings: PortalSettings
  readonly look: Look
}

export const AccountContext = createContext<Account | null>(null)

/** The account that the start-up has loaded. */
export const useAccount = (): Account => {
  const account = use(AccountContext)
  if (account === null) throw new Error('useAccount is for screens inside the started app')
  return account
}

/** Settings where the server gave none: its own defaults for labels, and no payments. Source: portal.md §3. */
export const PLAIN_SETTINGS: PortalSettings = {
  invoiceLabel: { singular: 'Invoice', plural: 'Invoices' },
  companyName: '',
  payments: { enabled: false, bulk: false, paymentType: 0, billingAddressRequired: false, emailReceipt: false },
}

const SERVICE_ITEM = 'Service Item'

/** The look of a loaded brand. */
export const lookOfBrand = (brand: BrandSettings): Look => ({
  flags: brand,
  currencySymbol: brand.currencySymbol,
  serviceItemLabel: brand.endServiceItemDisplayName || SERVICE_ITEM,
  logoGround: brand.colour1,
})

/** The look as far as the payment details tell it. */
export const lookOfDetails = (details: PaymentDetails): Look => ({
  flags: details,
  currencySymbol: details.currencySymbol.symbol,
  serviceItemLabel: SERVICE_ITEM,
  logoGround: undefined,
})
