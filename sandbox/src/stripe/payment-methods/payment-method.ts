import { DEBIT_CURRENCIES } from './test-accounts.ts'

export const METHOD_TYPES = ['card', ...(Object.keys(DEBIT_CURRENCIES) as (keyof typeof DEBIT_CURRENCIES)[])] as const

export type MethodType = (typeof METHOD_TYPES)[number]

/** What the sandbox keeps about a method and does not send. */
export interface MethodSecrets {
  /** The number if it is one of Stripe's test numbers, else empty. */
  readonly number: string
  /** The customer authenticated when the method was saved. */
  readonly setUp?: boolean
  readonly mandate?: string
  /** The method was used without a customer, or detached, and cannot be used again. */
  readonly spent?: boolean
}

export interface PaymentMethod {
  readonly id: string
  readonly object: 'payment_method'
  readonly created: number
  readonly customer: string | null
  readonly type: MethodType
  readonly billing_details: BillingDetails
  readonly metadata: Readonly<Record<string, string>>
  readonly allow_redisplay: string
  readonly card?: CardDetails
  readonly sandbox_only: MethodSecrets
}

/** The `card` field of a method. */
export interface CardDetails {
  readonly brand: string
  readonly country: string
  readonly exp_month: number
  readonly exp_year: number
  readonly fingerprint: string
  readonly funding: string
  readonly last4: string
  readonly checks: Readonly<Record<string, string | null>>
  readonly display_brand: string
  readonly generated_from: null
  readonly networks: object
  readonly regulated_status: string
  readonly three_d_secure_usage: object
  readonly wallet: null
}

export interface BillingDetails {
  readonly address: Readonly<Record<string, string | null>>
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  readonly tax_id: null
}
