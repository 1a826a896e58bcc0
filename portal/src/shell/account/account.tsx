import type { BrandFlags, BrandSettings } from '@counterfoil/contract/brands'
import type { Customer } from '@counterfoil/contract/customers'
import type { PaymentDetails, PortalSettings } from '@counterfoil/contract/portal-settings'
import { createContext, use } from 'react'
import type { User } from '../../api/session.ts'
import type { Help } from '../help/site-footer.tsx'

/** Flags and labels of the brand; from the payment details when the brand could not be loaded. */
export interface Branding {
  readonly flags: Readonly<Record<keyof typeof BrandFlags, boolean>>
  readonly serviceItemLabel: string
  readonly hasDarkLogo: boolean
  /** Null where the brand could not be loaded. */
  readonly help: Help | null
}

/** The signed-in user, the chosen customer, and their settings and branding. The frame and its screens read it by `useAccount`. */
export interface SignedInAccount {
  readonly user: User
  readonly customers: readonly Customer[]
  readonly customer: Customer
  readonly settings: PortalSettings
  readonly branding: Branding
  /** False while settings or payment details are loading. The frame is shown, and the screen waits. */
  readonly isReady: boolean
  /** The locale of numbers and dates. Screens are drawn again when the user chooses another. */
  readonly locale: string
}

export const AccountContext = createContext<SignedInAccount | null>(null)

/** The text before amounts of a currency: the customer's symbol for the customer's own currency, the code for any other. */
export const symbolFor = (customer: Pick<Customer, 'currency' | 'currencySymbol'>, currency: string): string =>
  currency === customer.currency ? customer.currencySymbol : currency

/** The account that AccountProvider has loaded. Throws outside of it. */
export const useAccount = (): SignedInAccount => {
  const account = use(AccountContext)
  if (account === null) throw new Error('useAccount is for screens inside the started app')
  return account
}

/** Used when the settings could not be loaded: the default labels, and no payments. */
export const DEFAULT_SETTINGS: PortalSettings = {
  invoiceLabel: { singular: 'Invoice', plural: 'Invoices' },
  companyName: '',
  payments: { enabled: false, bulk: false, paymentType: 0, billingAddressRequired: false, emailReceipt: false, adjustments: [] },
}

/** Used while the settings load: no payments, and no labels, so that none is shown and then replaced. */
export const PENDING_SETTINGS: PortalSettings = { ...DEFAULT_SETTINGS, invoiceLabel: { singular: '', plural: '' } }

const DEFAULT_SERVICE_ITEM_LABEL = 'Service Item'

/** The branding of a loaded brand. */
export const brandingFromBrand = (brand: BrandSettings): Branding => ({
  flags: brand,
  serviceItemLabel: brand.endServiceItemDisplayName || DEFAULT_SERVICE_ITEM_LABEL,
  hasDarkLogo: brand.hasDarkLogo,
  help: brand,
})

/** The branding as far as the payment details have it: the flags, with the default label and no help. */
export const brandingFromDetails = (details: PaymentDetails): Branding => ({
  flags: details,
  serviceItemLabel: DEFAULT_SERVICE_ITEM_LABEL,
  hasDarkLogo: false,
  help: null,
})
