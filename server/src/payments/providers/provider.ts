import type { Card } from '@counterfoil/contract/payment-methods'
import type { Money } from '@counterfoil/contract/kit/money'
import type { FeeLine } from '@counterfoil/contract/kit/payments/payment-status'
import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { TSchema } from 'typebox'
import type { AccountCheck, ProviderContext } from './account.ts'
import type { AmountLimits } from './amounts.ts'
import type { ChargeResult, ProviderPayment } from './charge-result.ts'
import type { DebitKind } from './debits.ts'
import type { CardFormCustomer, CardFormSession, PayForm, ProviderPage } from './entry.ts'
import type { FrameRequest, FrameReturn } from './frames.ts'
import type { KnownMethod, MethodDetails, TypedMethod, NewCard, NewMethod, StoredMethod } from './method.ts'
import type { ChargeOrder, ClientInfo, KnownOrder, ReferenceFormat, SentOrder } from './order.ts'
import type { NotPrepared, PreparedCharge } from './prepared-charge.ts'
import type { ReturnedPayment } from './refunds.ts'
import type { BrowserSetup, NewCustomer, StoreMethodResult } from './storing.ts'
import type { WebhookEvent } from './webhooks.ts'

/**
 * A payment provider. It is stateless: it gets settings and an HTTP client, never the database. An absent optional member means that the
 * provider does not support it.
 */
export interface ProviderOf<Settings> {
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
  readonly notFoundMeansUnpaidAfterMs: number | null
  /** Whether its webhooks prove where they come from; those that do not are a hint to look up a payment that exists. Signed when absent. */
  readonly webhooks?: 'signed' | 'unsigned'
  /** The kinds of entry that it takes; a reseller must allow card numbers too. */
  readonly accepts: readonly TypedMethod['kind'][]
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
  readonly acceptsStoredMethodInCardToken?: boolean
  readonly page?: ProviderPage
  readonly payForm?: PayForm
  /** Whether a default method stays while there are others of its kind: another is made the default first. */
  readonly requiresReplacementBeforeRemovingDefault?: boolean
  /** How its cards are shown in a family of paths that it shares; as a `stripeCard` when absent. */
  readonly toCardResponse?: (details: MethodDetails) => Partial<Card>
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
  createCardForm?(context: ProviderContext<Settings>, purpose: 'store' | 'pay', customer?: CardFormCustomer): Promise<CardFormSession>
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
export type PaymentProvider = ProviderOf<never>
