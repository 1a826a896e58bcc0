import type { Card } from '@counterfoil/contract/payment-methods'
import type { Money } from '@counterfoil/contract/kit/money'
import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'
import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { TSchema } from 'typebox'
import type { PageOrigins } from '../../http/security-headers.ts'
import type { HttpClient } from '../../kit/outgoing-http.ts'
import type { FrameRequest, FrameReturn } from './frame.ts'
import type { Contact, StoredMethod, KnownMethod, MethodDetails, MethodSummary, MethodEntry, NewCard, NewMethod } from './method.ts'
import type { NotPrepared, PreparedCharge } from './prepared-charge.ts'

/** What a provider says against the payer's card or account. Only that counts as a decline. */
type MethodReason = 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'insufficient_funds' | 'invalid_account'

/** Why a provider does not do what it is asked, without a word against the payer's card or account (`decline.ts`). */
export type RejectionReason =
  | 'amount_too_small'
  | 'amount_too_large'
  | 'amount_not_accepted'
  | 'currency_not_accepted'
  /** A stored card or account that the provider does not know any more. */
  | 'method_gone'
  /** What was entered cannot be used: it has expired, or something is missing. */
  | 'enter_again'
  | 'not_accepted'
  | 'not_configured'
  /** The provider, or a bank that could not be reached. */
  | 'try_again'

/** Why nothing was done, in our words. Each provider maps its own codes to these. */
export type DeclineReason = MethodReason | RejectionReason

/** Certainly nothing was done, and nothing will be. The engine tells a decline from a refusal by its reason. */
export interface Decline {
  readonly state: 'declined'
  readonly reason: DeclineReason
  /** The text for the payer: the provider's own where it is meant for people, else ours. */
  readonly userMessage: string
  readonly providerCode: string
  /** What the provider itself says, for operators; never for the payer. */
  readonly providerText?: string
  /** The provider no longer knows the customer: the account has changed, or the customer was deleted there. */
  readonly isCustomerGone?: true
}

/** Thrown when the provider does not know the customer for whom a method is to be stored. */
export class CustomerGone extends Error {
  override readonly name = 'CustomerGone'
}

/** What a provider says of a payment. Only its explicit yes is `succeeded`; no answer is `unknown`, never `declined`. */
export type ChargeResult =
  /**
   * `amount` is what the provider charged; `refunded` and `reversed` are the totals returned since, in minor units. They are null where this
   * answer does not tell: what is recorded stays.
   */
  | {
      readonly state: 'succeeded'
      readonly providerRef: string
      readonly amount: Money
      readonly refunded: bigint | null
      readonly reversed: bigint | null
    }
  | { readonly state: 'processing'; readonly providerRef: string }
  | { readonly state: 'requires_action'; readonly providerRef: string; readonly redirectUrl: string }
  | Decline
  | { readonly state: 'unknown'; readonly detail: string }
  /** A charge that certainly moved no money and never will: the request did not reach the step that charges. */
  | {
      readonly state: 'not_sent'
      readonly detail: string
      /** What the payer is told, where it is not that the provider could not be reached. */
      readonly userMessage?: string
    }
  /** A look-up found nothing. It is final once the provider's `absentIsFinalAfterMs` has passed: lists lag. */
  | { readonly state: 'absent'; readonly detail: string }
  /** The provider knows the payment and has not started it. Only look-ups return this, and it is not final. */
  | { readonly state: 'not_started'; readonly detail: string }
  /** Canceled at the provider: no money moved and none will. */
  | { readonly state: 'canceled'; readonly detail: string }
  /** Charged, and taken back whole before it was settled: the provider keeps nothing. Only look-ups and lists return this. */
  | { readonly state: 'voided'; readonly providerRef: string; readonly detail: string }

/** The words that an attempt's status shares with a provider's result; the others are a result's alone. */
export type PaymentState = Exclude<ChargeResult['state'], 'absent' | 'not_started' | 'canceled' | 'voided'>

export type StoreMethodResult =
  | { readonly state: 'succeeded'; readonly method: StoredMethod }
  | { readonly state: 'processing' }
  | { readonly state: 'requires_action'; readonly redirectUrl: string }
  | Decline
  | { readonly state: 'unknown'; readonly detail: string }

/** The payer's browser, which debit mandates record. */
export interface ClientInfo {
  readonly ip: string
  readonly userAgent: string
}

/** What the browser needs to show a form. Nothing secret. */
export type BrowserSetup =
  | { readonly kind: 'widget'; readonly id: string; readonly clientSecret: string; readonly types: readonly string[] }
  | { readonly kind: 'redirect'; readonly sessionId: string; readonly url: string }

/** For whom an entry starts, and the stored method that it changes, if any. */
export interface EntryCustomer {
  /** Our id of the customer. */
  readonly customerId: number
  readonly method?: KnownMethod
  readonly email?: string
}

/** What the browser needs for the provider's own fields: a public key, a one-time token, the address of a frame. Nothing secret. */
interface EntryStart {
  readonly fields: Readonly<Record<string, string>>
  /** What the provider must get again when the entry is used to pay; kept on the intent. */
  readonly startRef: string | null
}

export interface ChargeOrder {
  /** Our reference, stored before the request; the provider gets it as its idempotency key or order id. */
  readonly ourRef: string
  readonly amount: Money
  readonly methodType: string
  readonly invoiceNumbers: readonly string[]
  readonly legalName: string
  /** Our id of the customer. */
  readonly customerId: number
  /** What `startEntry` asked to keep; null where the entry began without it. */
  readonly startRef: string | null
  /** The provider's customer id, where a stored method needs one. */
  readonly providerCustomerId: string | null
  /** Where the browser returns after confirming; null when no payer is present. */
  readonly returnUrl: string | null
  readonly client: ClientInfo | null
}

/** An order that may have been sent, as we know it: all that a look-up can compare with the provider's books. */
export interface SentOrder {
  readonly ourRef: string
  /** The provider's own id, once it gave one. */
  readonly providerRef: string | null
  readonly amount: Money
  readonly methodType: string
  /** What may be shown of the card or account, where it is known. */
  readonly method: MethodSummary | null
  readonly sentAt: Date | null
  /** What was refunded as far as we know, in minor units: a list that shows less lags. */
  readonly refunded?: bigint
}

/** An order that the provider has given its id. */
export interface KnownOrder extends SentOrder {
  readonly providerRef: string
  /** What was refunded as far as we know, in minor units. */
  readonly refunded: bigint
}

/** A customer to create at the provider. */
export interface NewCustomer {
  readonly reference: string
  readonly name: string
  readonly key: string
  /** Who entered the method for which it is created; absent where nobody is known. */
  readonly contact?: Contact
}

/** What a webhook event is about: ids alone. */
export interface WebhookEvent {
  readonly eventId: string
  readonly kind: string
  /** `payment`: an attempt to look up, by our reference or the provider's. `other`: nothing that money depends on. */
  readonly about: 'payment' | 'other'
  readonly ourRef?: string
  readonly providerRef?: string
}

/** A payment in the provider's own list. */
export interface ProviderPayment {
  /** Our reference; null where the payment is the reseller's own business. */
  readonly ourRef: string | null
  readonly providerRef: string
  readonly result: ChargeResult
}

/** A payment whose money was taken back or given back again by a bank, or may have been: it is looked up. */
interface ReturnedPayment {
  readonly ourRef: string | null
  readonly providerRef: string
}

/** The account behind the given credentials. */
export interface AccountCheck {
  readonly account: string
  /** May it take payments at all? */
  readonly canCharge: boolean
  readonly country: string | null
}

/** What every provider call gets: the reseller's settings, an HTTP client and the current time. */
export interface ProviderContext<Settings> {
  readonly settings: Settings
  readonly baseUrl: string
  readonly http: HttpClient
  readonly now: Date
  /** Where the provider may send webhooks about a payment; absent where this server has no public address by https. */
  readonly webhookUrl?: string
  /** Remembers what one account may use several times, such as a bearer token. */
  readonly cache: ProviderCache
}

/** What calls for one account remember in the memory of this process; forgotten when its settings change. */
export interface ProviderCache {
  /** The remembered text, or a new one that is remembered for `ttlMs`; a failure is not remembered. */
  remember(key: string, ttlMs: number, load: () => Promise<string>): Promise<string>
  forget(key: string): void
}

/** The form of our references at a provider: so many characters of this alphabet. */
export interface ReferenceFormat {
  readonly alphabet: string
  readonly length: number
}

/** A kind of bank debit. */
export interface DebitKind {
  /** What a payment by it is sent as: au_becs_debit, sepa_debit, … */
  readonly type: string
  /** Whether the account is entered on our page; else on the provider's own. */
  readonly isEnteredOnOurPage: boolean
}

/** What the payment pages load from the provider. A stand-in serves all of it from the origin of its API. */
export interface ProviderPage {
  /** Absent where it has frames alone. */
  readonly script?: { readonly liveUrl: string; readonly standInPath: string }
  readonly liveOrigins: PageOrigins
}

/** The smallest and the largest amount of one currency, in our minor units; a bound is absent where the provider's documents name none. */
export interface AmountLimits {
  readonly minMinor?: number
  readonly maxMinor?: number
}

/** How the public payment page shows the provider's form. */
interface PayForm {
  /** As the API names it, where the form is the provider's own. */
  readonly integrationType: string | null
  /** Whether the whole form is the provider's frame. */
  readonly isFrame: boolean
  /** Whether the provider needs the card holder's name, whatever the reseller's setting. */
  readonly needsHolder: boolean
  /** Whether the provider takes nothing without the payer's name and email address, neither to pay nor to store. */
  readonly needsEmail?: boolean
}

/**
 * A payment provider. It is stateless: it gets settings and an HTTP client, never the database. An absent optional member means that the
 * provider does not support it.
 */
export interface PaymentProvider<Settings> {
  readonly name: ProviderName
  /** A TypeBox schema whose static type is Settings. */
  readonly settings: TSchema
  /**
   * The settings that name the account among all of this provider; the key alone where none does, and then `identifyAccount` asks. Others
   * may change, as a secret that is replaced does, and it is the same account.
   */
  readonly accountSettings: readonly (keyof Settings)[]
  /** The provider's production hosts, where real money moves. */
  readonly liveHosts: RegExp
  /** Those of `liveHosts` at which no real money moves: accounts there are others, whatever their names. */
  readonly testHosts?: RegExp
  /** How our references must look; without it, they are the attempt's id, a UUID. */
  readonly reference?: ReferenceFormat
  /** Whether an unanswered charge may be sent again: `by-key` moves money at most once per idempotency key. */
  readonly idempotency: 'by-key' | 'by-window' | 'never'
  /**
   * How long after a charge was sent a look-up that finds nothing proves that nothing was charged, in milliseconds; null: never, so a
   * person decides.
   */
  readonly absentIsFinalAfterMs: number | null
  /** Whether its webhooks prove where they come from; those that do not are a hint to look up a payment that exists. Signed when absent. */
  readonly webhooks?: 'signed' | 'unsigned'
  /** The kinds of entry that it takes; a reseller must allow card numbers too. */
  readonly takes: readonly MethodEntry['kind'][]
  /** The segment of the API's paths for stored methods: /v1/ec/<pathFamily>/cards. Providers may share one. */
  readonly pathFamily: string
  /** The fee lines that a reseller's fee rules may add to its payments. */
  readonly feeLines?: readonly FeeLine[]
  /** The currencies that an account with these settings can charge; every currency when absent. */
  readonly currencies?: (settings: Settings) => readonly string[]
  /** The step of the amounts that it can charge in a currency, in our minor units: 10 where it has one digit less than ISO 4217. */
  readonly amountStep?: (currency: string) => number
  /** The limits of one payment in a currency, from the provider's public documents; its README cites them. */
  readonly amountLimits?: (currency: string) => AmountLimits
  /** The kinds of debit that a reseller can choose, by direct-debit method id. */
  readonly debitKinds?: Readonly<Record<number, DebitKind>>
  /** Where an operator looks for a payment with no known outcome, and what our reference is called there. */
  readonly reviewText: string
  /**
   * In how many banking days the money of a debit of this type is expected: as its settings say, else as the provider does; null where
   * neither does. Only shown.
   */
  readonly debitBankingDays?: (settings: Settings, methodType: string) => number | null
  /** Whether a bulk payment may name the stored method that pays in `cardToken`, too. */
  readonly namesMethodInCardToken?: boolean
  readonly page?: ProviderPage
  readonly payForm?: PayForm
  /** Whether a default method stays while there are others of its kind: another is made the default first. */
  readonly keepsDefault?: boolean
  /** How its cards are shown in a family of paths that it shares; as a `stripeCard` when absent. */
  readonly showCard?: (details: MethodDetails) => Partial<Card>
  /** Whether payers come back from confirming by an address of the server with its own signed state, as it adds fields of its own. */
  readonly returnsThroughServer?: boolean

  /**
   * Asks for what tells the account from every other, where its settings do not: nothing secret. Present for a provider whose settings are
   * a key alone.
   * @throws Error when the provider rejects the credentials or does not answer
   */
  identifyAccount?(context: ProviderContext<Settings>): Promise<string>
  /**
   * Finds the account behind the credentials, moving nothing.
   * @throws Error when the provider rejects the credentials or does not answer
   */
  checkAccount?(context: ProviderContext<Settings>): Promise<AccountCheck>
  /** Starts storing a method in the browser: with a widget for these types, or on the provider's own page for one type. */
  startSetup?(
    context: ProviderContext<Settings>,
    purpose: { providerCustomerId: string; types: readonly string[]; page: { returnUrl: string } | null },
  ): Promise<BrowserSetup>
  /** Starts the provider's own fields in the browser, to store a method or to pay with one that is not stored. */
  startEntry?(context: ProviderContext<Settings>, purpose: 'store' | 'pay', customer?: EntryCustomer): Promise<EntryStart>
  /**
   * The address of the provider's own page, to be shown in a frame, in which a card or an account becomes a token under our reference. What
   * is entered so is stored and charged by the entry of kind `token` with that reference.
   */
  frameUrl?(context: ProviderContext<Settings>, frame: FrameRequest): string
  /** Reads what that page posts when it is done. Total. */
  parseFrameReturn?(fields: Readonly<Record<string, string>>): FrameReturn
  storeMethod(
    context: ProviderContext<Settings>,
    providerCustomerId: string,
    input: NewMethod,
    options: { client: ClientInfo; returnUrl: string; id: string; customerId: number; debitType?: string | null },
  ): Promise<StoreMethodResult>
  updateMethod?(
    context: ProviderContext<Settings>,
    method: KnownMethod,
    changes: Omit<MethodDetails, 'brand' | 'last4' | 'networkRef'>,
  ): Promise<StoreMethodResult>
  /** Removes a stored method; one that is already gone counts as removed. */
  removeMethod(context: ProviderContext<Settings>, method: KnownMethod): Promise<void>
  setDefaultMethod?(context: ProviderContext<Settings>, providerCustomerId: string, token: string): Promise<void>
  /** Lists a customer's stored methods of these types, oldest first, where the provider is the source of truth. */
  listMethods?(context: ProviderContext<Settings>, providerCustomerId: string, types: readonly string[]): Promise<StoredMethod[]>
  /** Creates the customer at the provider; the same reference is the same customer. */
  createCustomer?(context: ProviderContext<Settings>, customer: NewCustomer): Promise<string>

  /** Prepares to charge a stored card or account. Moves nothing. */
  prepareStoredMethodCharge(
    context: ProviderContext<Settings>,
    order: ChargeOrder,
    method: KnownMethod,
  ): Promise<PreparedCharge | NotPrepared>
  /** Prepares to charge a card that is not stored. Moves nothing. */
  prepareNewCardCharge?(context: ProviderContext<Settings>, order: ChargeOrder, card: NewCard): Promise<PreparedCharge | NotPrepared>
  /** Asks what became of an attempt. Never moves money, so it may be repeated. */
  lookUp(context: ProviderContext<Settings>, order: SentOrder): Promise<ChargeResult>
  /** Cancels an unfinished payment so that it can never move money; returns its real state if it already has. */
  cancel?(context: ProviderContext<Settings>, order: KnownOrder): Promise<ChargeResult>
  /**
   * Returns a part of a payment or all of it. The same refund id moves money at most once.
   * @returns the payment afterwards, with all that was refunded; `declined` when nothing was
   */
  refund?(context: ProviderContext<Settings>, order: KnownOrder, amount: Money, refundId: string): Promise<ChargeResult>
  /** Lists the payments whose return or chargeback was reported between two instants, where no webhook tells of them. */
  listReturned?(context: ProviderContext<Settings>, from: Date, to: Date): AsyncIterable<ReturnedPayment>
  /** Lists the payments between two instants, for reconciliation. */
  listPayments?(context: ProviderContext<Settings>, from: Date, to: Date): AsyncIterable<ProviderPayment>
  /**
   * Verifies and parses a webhook.
   * @throws ApiError 401 when the signature is not the provider's
   */
  parseWebhook?(
    context: ProviderContext<Settings>,
    request: { headers: Readonly<Record<string, string>>; raw: string },
  ): readonly WebhookEvent[]

  /** Blanks every secret of a wire transcript before it may be logged. */
  redact(transcript: string): string
}

/** A provider whose settings only it reads. */
export type AnyProvider = PaymentProvider<never>
