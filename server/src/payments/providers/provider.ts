import type { Money } from '@counterfoil/contract/kit/money'
import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { TSchema } from 'typebox'
import type { HttpClient } from '../../kit/outgoing-http.ts'
import type { SealedText } from '../../kit/sealed-text.ts'

/** Why a company said no, in our words. Each provider keeps one table from its own codes to these. */
export type DeclineReason =
  | 'card_declined'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'insufficient_funds'
  | 'invalid_account'
  | 'not_configured'
  | 'try_again'

export interface Decline {
  readonly state: 'declined'
  readonly reason: DeclineReason
  /** What the person may read: the company's own words where they are meant for people, else ours. */
  readonly userMessage: string
  readonly providerCode: string
  /** The company does not know the customer any more: its account is another, or somebody has deleted it there. */
  readonly isCustomerGone?: true
}

/** Thrown where the company does not know the customer (any more) for whom something is to be stored. */
export class CustomerGone extends Error {
  override readonly name = 'OwnerGone'
}

/** What became of money. Only the company's explicit yes is `paid`. Silence is `unknown`, never `declined`. */
export type ChargeResult =
  /** `amount` is what the company booked; `refunded` and `reversed` what it has given back since, in all. */
  | { readonly state: 'paid'; readonly providerRef: string; readonly amount: Money; readonly refunded: bigint; readonly reversed: bigint }
  | { readonly state: 'pending'; readonly providerRef: string }
  | { readonly state: 'action'; readonly providerRef: string; readonly redirectUrl: string }
  | Decline
  | { readonly state: 'unknown'; readonly detail: string }
  /** It is certain that no money moved and none will. */
  | { readonly state: 'not-sent'; readonly detail: string }
  /** The company knows the payment and has done nothing about it: said by look-ups alone, and not final. */
  | { readonly state: 'idle'; readonly detail: string }
  /** Given up for good at the company: no money moved and none will. */
  | { readonly state: 'cancelled'; readonly detail: string }

/** A card or bank account as we may keep it: a token, and what may be shown. No number, no code, no account. */
export interface StoredMethod {
  readonly kind: 'card' | 'bank'
  /** As the company calls it: card, au_becs_debit, … */
  readonly type: string
  readonly token: string
  readonly status: 'ready' | 'pending'
  readonly details: MethodDetails
}

/** What may be shown of a method; what the company does not tell is left out. */
export interface MethodDetails {
  readonly brand?: string
  readonly last4?: string
  readonly expMonth?: number
  readonly expYear?: number
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  readonly address?: MethodAddress
  /** BSB, sort code, routing number, bank code. */
  readonly bankCode?: string
  readonly bankName?: string
  readonly country?: string
}

/** What names a method to its owner, and nothing of a person. */
export type MethodSummary = Pick<MethodDetails, 'brand' | 'last4' | 'bankCode' | 'bankName' | 'country'>

export interface MethodAddress {
  readonly line1?: string | null
  readonly line2?: string | null
  readonly city?: string | null
  readonly postalCode?: string | null
  readonly state?: string | null
  readonly country?: string | null
}

export type StoreMethodResult =
  | { readonly state: 'stored'; readonly method: StoredMethod }
  | { readonly state: 'pending' }
  | { readonly state: 'action'; readonly redirectUrl: string }
  | Decline
  | { readonly state: 'unknown'; readonly detail: string }

/** A card as it was typed. It lives in the memory of one request: it is never stored, never logged and never sent again (docs/decisions/0088). */
export interface RawCard {
  readonly number: SealedText
  readonly expMonth: number
  readonly expYear: number
  readonly securityCode: SealedText
}

/** A card as our pages send it on; which fields there are depends on the company's form. */
export interface NewCard {
  readonly token?: string
  /** Where the company takes no token; only ever given to one that takesRawCards. */
  readonly raw?: RawCard
  readonly holder?: string
  readonly email?: string
  readonly address?: MethodAddress
}

/** A method that is to be stored for its owner. */
export interface NewMethod extends NewCard {
  readonly type: string
}

/** Mandates want to know who agreed to them. */
export interface ClientInfo {
  readonly ip: string
  readonly userAgent: string
}

/** What the browser needs before it can show a form. Nothing secret. */
export type BrowserSetup =
  | { readonly kind: 'widget'; readonly id: string; readonly clientSecret: string; readonly types: readonly string[] }
  | { readonly kind: 'redirect'; readonly sessionId: string; readonly url: string }

export interface ChargeOrder {
  /** Ours, written to the database before the call; the company sees it as idempotency key and reference. */
  readonly attemptId: string
  readonly amount: Money
  readonly methodType: string
  readonly invoiceNumbers: readonly string[]
  readonly legalName: string
  /** The provider's own customer id, where it wants one with a saved method. */
  readonly providerCustomerId: string | null
  /** Where the browser comes back to after an action; null when nobody sits before it. */
  readonly returnUrl: string | null
  readonly client: ClientInfo | null
  /**
   * Tells the provider's reference before any money can move, and what pays, where the provider names it; where it rejects, the money
   * must not be moved.
   */
  saveReference(providerRef: string, method?: MethodSummary | undefined): Promise<void>
}

/** What a notice is about: ids alone. */
export interface WebhookEvent {
  readonly eventId: string
  readonly kind: string
  /** `payment`: an attempt to look up, by our id or the provider's. `other`: nothing that money depends on. */
  readonly about: 'payment' | 'other'
  readonly attemptId?: string
  readonly providerRef?: string
}

/** A payment as the company's own books have it. */
export interface ProviderPayment {
  readonly attemptId: string | null
  readonly providerRef: string
  readonly result: ChargeResult
}

/** What a company says of the account whose credentials it was given. */
export interface AccountCheck {
  readonly account: string
  /** May it take payments at all? */
  readonly canCharge: boolean
  readonly country: string | null
}

/** What a call needs: the reseller's settings, a way out, the present. */
export interface ProviderContext<Settings> {
  readonly settings: Settings
  readonly baseUrl: string
  readonly http: HttpClient
  readonly now: Date
}

/**
 * One payment company behind one door. A provider is stateless: it gets settings and a way out, never the database.
 * An absent optional member means "this company does not do that".
 */
export interface PaymentProvider<Settings> {
  readonly name: ProviderName
  /** A TypeBox schema whose static type is Settings. */
  readonly settings: TSchema
  /** The company's own addresses: where real money moves. */
  readonly liveHosts: RegExp
  /** May an unanswered charge be sent again? Only `by-key` providers promise that it moves money once. */
  readonly idempotency: 'by-key' | 'by-window' | 'never'
  /** Can it be given a card as it was typed? Whether it is, the reseller's switch says. */
  readonly takesRawCards?: true

  /** Asks whose account it is, which moves nothing. @throws when the company refuses the credentials or does not answer */
  checkAccount?(context: ProviderContext<Settings>): Promise<AccountCheck>
  /** Begins to store a method in the browser: with a widget for these types, or on the company's own page for one type. */
  startSetup?(
    context: ProviderContext<Settings>,
    purpose: { providerCustomerId: string; types: readonly string[]; page: { back: string } | null },
  ): Promise<BrowserSetup>
  storeMethod(
    context: ProviderContext<Settings>,
    providerCustomerId: string,
    input: NewMethod,
    options: { client: ClientInfo; returnUrl: string; id: string },
  ): Promise<StoreMethodResult>
  updateMethod?(
    context: ProviderContext<Settings>,
    token: string,
    changes: Omit<MethodDetails, 'brand' | 'last4'>,
  ): Promise<StoreMethodResult>
  /** Gone already counts as removed. */
  removeMethod(context: ProviderContext<Settings>, token: string): Promise<void>
  setDefaultMethod?(context: ProviderContext<Settings>, providerCustomerId: string, token: string): Promise<void>
  /** All that the company has stored for an owner, oldest first, where the company is the one that knows; of these types. */
  listMethods?(context: ProviderContext<Settings>, providerCustomerId: string, types: readonly string[]): Promise<StoredMethod[]>
  /** Makes the customer known; the same reference is the same customer. */
  createCustomer?(context: ProviderContext<Settings>, customer: { reference: string; name: string; key: string }): Promise<string>

  chargeStoredMethod(context: ProviderContext<Settings>, order: ChargeOrder, token: string): Promise<ChargeResult>
  chargeNewCard?(context: ProviderContext<Settings>, order: ChargeOrder, input: NewCard): Promise<ChargeResult>
  /** Asks what became of an attempt. Safe to repeat for ever: it never moves money. */
  lookUp(
    context: ProviderContext<Settings>,
    attempt: { attemptId: string; providerRef: string | null; sentAt: Date | null },
  ): Promise<ChargeResult>
  /** Gives an unfinished payment up at the company, so that it can never move money; says what it is if it has already moved. */
  cancel?(context: ProviderContext<Settings>, attempt: { attemptId: string; providerRef: string }): Promise<ChargeResult>
  refund?(
    context: ProviderContext<Settings>,
    attempt: { attemptId: string; providerRef: string },
    amount: Money,
    refundId: string,
  ): Promise<ChargeResult>
  /** What the company booked between two instants, for reconciliation. */
  listPayments?(context: ProviderContext<Settings>, from: Date, to: Date): AsyncIterable<ProviderPayment>
  /** Reads a notice from its raw text. @throws Refusal 401 when the signature is not the company's */
  parseWebhook?(
    context: ProviderContext<Settings>,
    request: { headers: Readonly<Record<string, string>>; raw: string },
  ): readonly WebhookEvent[]

  /** Blanks every secret in a wire transcript before it may be logged. */
  redact(transcript: string): string
}

/** A provider whose settings nobody but itself reads. */
export type AnyProvider = PaymentProvider<never>
