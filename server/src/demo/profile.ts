import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'
import type { Brand } from './pictures/brand-identity.ts'

/** The hand-written description of a reseller; everything else is derived from it. */
export interface ResellerProfile {
  readonly id: number
  readonly name: string
  readonly user: { readonly username: string; readonly displayName: string }
  readonly legalEntity: {
    readonly name: string
    readonly number: string
    readonly addressLines: readonly string[]
    readonly email: string
    readonly phone: string
  }
  readonly currency: string
  readonly currencySymbol: string
  readonly invoiceLabel?: { readonly singular: string; readonly plural: string }
  readonly invoicePrefix: string
  readonly terms: string
  /** Days from an invoice's date to its due day; at most 21, so that last month's unpaid invoice is always overdue. */
  readonly termDays: number
  readonly payment: {
    /** Card numbers are typed into our own page, when the payment provider allows it. */
    readonly rawCard?: boolean
    readonly type: number
    /** Null means cards only; then no invoice is in collection. */
    readonly directDebitMethodId: number | null
    readonly takesDebits: boolean
    readonly disclaimer?: string
    readonly billingAddressRequired?: boolean
    /** Fees for paying by card or by debit. */
    readonly fees?: readonly { readonly line: FeeLine; readonly percent: string; readonly fixedMinor: number }[]
    /** Owed by the first customer outside any invoice. */
    readonly adjustment?: { readonly description: string; readonly amountMinor: number }
    readonly consentMessage?: string
    readonly hidePaymentTypes?: boolean
  }
  readonly taxes: readonly Tax[]
  readonly brand: Brand
  readonly transactionLabels?: readonly [string, string, string, string, string]
  readonly wording?: Wording
  /** How many hours the reseller's customers are ahead of UTC. */
  readonly utcOffset: number
  readonly services: readonly ServiceProfile[]
  readonly customers: readonly CustomerProfile[]
}

export interface Tax {
  readonly name: string
  /** Thousandths of a percent: 10000 is 10 %. */
  readonly rateMilli: number
}

export interface ServiceProfile {
  readonly name: string
  readonly itemLabel: string
  readonly plan: { readonly label: string; readonly code: string; readonly feeMinor: number }
  /** Index into the customer's agreements; beyond its end the last one. */
  readonly agreement: number
  /** The service's weight among the customer's usage records. */
  readonly share: number
  readonly unit: string
  readonly hours: readonly number[]
  /** True for mobile data in megabytes, which the dashboard's charts show. */
  readonly isData?: boolean
  /** A pattern for the connection's number, # a digit. */
  readonly number: string
  /** A pattern for its second identification. */
  readonly secondNumber?: string
  readonly records: readonly RecordProfile[]
}

interface RecordProfile {
  readonly description: string
  readonly weight: number
  /** In units, or in thousandths when `isFractional`. Small amounts are more frequent. */
  readonly minUnits: number
  readonly maxUnits: number
  readonly isFractional: boolean
  /** Price of one unit, decimal text with at most six digits after the point. */
  readonly rate: string
  /** Values of the third identification: access points, networks, numbers called. */
  readonly peers?: readonly string[]
}

export interface CustomerProfile {
  readonly label: string
  readonly reference: string
  readonly addressLines: readonly string[]
  readonly agreements: readonly string[]
  readonly sites: readonly string[]
  readonly costCentres: readonly string[]
  /** The number and name patterns of the connections, in the order of the reseller's services. */
  readonly lines: readonly { readonly count: number; readonly names: readonly string[] }[]
  /** The customer's weight among the reseller's usage records. */
  readonly share: number
  readonly taxes?: readonly Tax[]
  readonly bundles: readonly BundleProfile[]
}

export interface BundleProfile {
  readonly name: string
  readonly products: readonly {
    readonly name: string
    readonly quantity: number
    readonly unit: string
    /** Part of the quantity that is used up, in percent. */
    readonly usedPercent: number
    /** Shows the number of the customer's first connection of this service. */
    readonly ofService?: number
  }[]
}

/** The texts of an invoice besides the services' names, and the one-off charges. */
interface Wording {
  /** {service} stands for the service's name. */
  readonly usage: string
  /** The heading of charges that belong to no service. */
  readonly service: string
  readonly setUp: OneOff
  readonly hardware: OneOff
  readonly order: OneOff
  readonly termination: OneOff
  readonly replacement: OneOff
  readonly goodwill: string
}

export interface OneOff {
  readonly label: string
  readonly code: string
  readonly unitMinor: number
  readonly quantity: number
}

export const ENGLISH: Wording = {
  usage: '{service} usage',
  service: 'Equipment and services',
  setUp: { label: 'Connection set-up', code: 'SETUP', unitMinor: 1500, quantity: 8 },
  hardware: { label: 'Rugged 4G router', code: 'HW-RTR-4G', unitMinor: 28900, quantity: 2 },
  order: { label: 'Additional SIM cards, express delivery', code: 'SIM-EXP', unitMinor: 695, quantity: 12 },
  termination: { label: 'Early termination fee, billed in error', code: 'ETF', unitMinor: 24000, quantity: 1 },
  replacement: { label: 'Replacement SIM card', code: 'SIM-REPL', unitMinor: 1000, quantity: 3 },
  goodwill: 'Goodwill credit',
}

/** Weights of the 24 local hours. */
export const HOURS = {
  fleet: [2, 2, 2, 3, 6, 12, 18, 20, 19, 18, 17, 16, 15, 17, 18, 18, 16, 12, 8, 5, 4, 3, 3, 2],
  office: [0, 0, 0, 0, 0, 1, 3, 8, 16, 20, 20, 18, 12, 16, 19, 18, 14, 8, 3, 2, 1, 1, 0, 0],
  evening: [3, 2, 1, 1, 1, 2, 4, 6, 7, 7, 8, 8, 9, 9, 9, 10, 12, 15, 19, 22, 22, 18, 11, 6],
  round: [8, 8, 8, 8, 8, 8, 9, 10, 11, 11, 11, 11, 11, 11, 11, 11, 11, 10, 10, 9, 9, 9, 8, 8],
} as const satisfies Record<string, readonly number[]>
