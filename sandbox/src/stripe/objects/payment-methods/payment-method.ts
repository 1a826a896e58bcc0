import { DEBITS } from './test-accounts.ts'

export const TYPES = ['card', ...(Object.keys(DEBITS) as (keyof typeof DEBITS)[])] as const

export type MethodType = (typeof TYPES)[number]

/** What the stand-in knows of a method and does not say on the wire. */
export interface MethodSecrets {
  /** The number, when it is one of Stripe's test numbers; otherwise nothing of it is kept. */
  readonly number: string
  /** 3-D Secure was done when it was saved. */
  readonly setUp?: boolean
  readonly mandate?: string
  /** It was used without a customer, or taken from one, and cannot be used again. */
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
  readonly card?: CardFace
  readonly sandbox_only: MethodSecrets
}

/** What is seen of a card. */
export interface CardFace {
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
