import type { SealedText } from '../../kit/sealed-text.ts'

/** A card or bank account as it may be stored: a token and display details, never a number or security code. */
export interface StoredMethod {
  readonly kind: 'card' | 'bank'
  /** The provider's own word: card, au_becs_debit, … */
  readonly type: string
  readonly token: string
  readonly status: 'ready' | 'pending'
  readonly details: MethodDetails
}

/** A stored method as we know it: some providers find it only under its customer, and some replace all of it when a part changes. */
export interface KnownMethod {
  readonly token: string
  readonly kind: StoredMethod['kind']
  /** The customer's id at the provider; null where the provider has no customers. */
  readonly providerCustomerId: string | null
  readonly details: MethodDetails
}

/** Display details of a method; what the provider does not return is absent. */
export interface MethodDetails {
  readonly brand?: string
  readonly last4?: string
  /** The provider's own mask of a card number, where it does not tell the last four digits. */
  readonly maskedNumber?: string
  readonly expMonth?: number
  readonly expYear?: number
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  readonly address?: MethodAddress
  /** BSB, sort code, routing number, bank code. */
  readonly bankCode?: string
  readonly bankName?: string
  /** checking or savings, where the provider distinguishes them. */
  readonly accountType?: string
  readonly country?: string
  /** Who pays, where it is not the holder. */
  readonly payerFirstName?: string
  readonly payerLastName?: string
  readonly legalName?: string
  readonly shippingAddress?: string
  readonly shippingPhone?: string
  /** The card network's id of the customer's first consent, which later charges name. Never shown. */
  readonly networkRef?: string
}

/** The details that identify a method to its holder without personal data. */
export type MethodSummary = Pick<MethodDetails, 'brand' | 'last4' | 'maskedNumber' | 'bankCode' | 'bankName' | 'country'>

export interface MethodAddress {
  readonly line1?: string | null
  readonly line2?: string | null
  readonly city?: string | null
  readonly postalCode?: string | null
  readonly state?: string | null
  readonly country?: string | null
}

/** A card number as typed. It lives in the memory of one request: never stored, logged or sent twice (docs/decisions/0046). */
export interface RawCard {
  readonly number: SealedText
  readonly expMonth: number
  readonly expYear: number
  /** Null where a card is stored without it. */
  readonly securityCode: SealedText | null
}

/** A bank account as typed. Its number is treated like that of a card. */
export interface BankAccount {
  readonly number: SealedText
  /** BSB, sort code, routing number, bank code. */
  readonly bankCode: string
  readonly bankName?: string
  /** checking or savings, where the provider distinguishes them. */
  readonly accountType?: string
}

/** A card or account whose number was encrypted in the browser for the provider: only the provider can read it. */
export interface SealedNumber {
  readonly encryptedNumber: string
  readonly last4?: string
  /** Of a card. */
  readonly firstSix?: string
  readonly brand?: string
  readonly expMonth?: number
  readonly expYear?: number
  readonly securityCode?: SealedText
  /** Of a bank account. */
  readonly bankCode?: string
}

/** A card or an account as it was typed or entered, to pay with or to store. A provider names the kinds that it accepts. */
export type TypedMethod =
  /** Made by the provider's own script, fields or page in the browser. */
  | {
      readonly kind: 'token'
      readonly token: string
      /** What the provider's page said of it, for show. */
      readonly details?: Pick<MethodDetails, 'expMonth' | 'expYear' | 'bankCode'>
    }
  /** A card number on our own page; the reseller must allow it too. */
  | { readonly kind: 'card'; readonly card: RawCard }
  | { readonly kind: 'bank'; readonly account: BankAccount }
  | { readonly kind: 'sealed'; readonly sealed: SealedNumber }

/** What was typed beside a card or an account. */
interface HolderDetails {
  readonly holder?: string
  readonly payerFirstName?: string
  readonly payerLastName?: string
  readonly legalName?: string
  readonly email?: string
  readonly phone?: string
  readonly address?: MethodAddress
  readonly shippingAddress?: string
  readonly shippingPhone?: string
}

/** Whom a provider may know as the payer. */
export interface Contact {
  readonly name?: string
  readonly email?: string
}

/** A card that is not stored, with what was typed beside it. */
export interface NewCard extends HolderDetails {
  readonly typedMethod: TypedMethod
}

/** A method to store for a customer. */
export interface NewMethod extends NewCard {
  readonly type: string
}

export interface MethodRow {
  readonly id: string
  readonly token: string
  readonly kind: 'card' | 'bank'
  readonly type: string
  readonly details: MethodDetails
  readonly status: 'ready' | 'pending'
  readonly isDefault: boolean
}
