import type { DeclineReason } from '../../../src/payments/providers/decline.ts'
import type { NewCard, NewMethod } from '../../../src/payments/providers/method.ts'
import type { PaymentProvider } from '../../../src/payments/providers/provider.ts'
import type { Answer } from '../../support/http-client.ts'
import type { PayingCustomer } from '../payments-fixture.ts'
import type { TestSandbox } from '../sandbox.ts'
import type { AdapterBench } from './adapter-bench.ts'

/** The secret by which the accounts of tests sign their webhooks. */
export const WEBHOOK_KEY = 'A1B2C3D4'.repeat(16)

/** A webhook about a payment as a provider signs it: of the payment, or of what comes after it. */
type SignWebhook = (
  merchantReference: string,
  at: Date,
  secret: string,
  isLaterEvent: boolean,
) => { readonly headers: Record<string, string>; readonly raw: string }

/** What the page of a payment link has to enter a card with. */
export interface LinkPage {
  readonly sandbox: TestSandbox
  readonly resellerId: number
  /** Starts the provider's own fields. */
  readonly startFields: () => Promise<Readonly<Record<string, string>>>
  /** Loads the document with the provider's frame. */
  readonly loadTemplate: () => Promise<string>
}

/** What is typed of a card where it is another one than usual. */
export interface TypedDetails {
  readonly number?: string
  readonly code?: string
  readonly zip?: string
  readonly expYear?: number
  /** Stands for the whole card. */
  readonly token?: string
}

/** Who stores a method. */
export type Storer = { readonly me: Pick<PayingCustomer['me'], 'get' | 'post'>; readonly resellerId: number }

/**
 * Stores a method through the API.
 * @param typed of a card that is another one than usual
 * @param change fields of the body that are others
 */
type StoreMethod = (payer: Storer, sandbox: TestSandbox, typed?: TypedDetails, change?: object) => Promise<Answer>

/** A provider as its stand-in speaks it over the wire, how people pay through it, and what it can do. An absent member is an ability that it lacks. */
export interface ProviderDriver {
  readonly name: string
  readonly type: number
  readonly currency: string
  readonly settings: (resellerId: number) => object
  /** Whether an operator decides about a payment that was perhaps never sent: nothing at the provider proves that it was not. */
  readonly leavesToOperator: boolean
  /** Whether it recognizes a request that arrives twice. */
  readonly knowsRepetitions: boolean
  /** What the page of a payment link sends of the card. */
  readonly cardFields: (page: LinkPage, typed?: TypedDetails) => Promise<object>
  /** What a payment by bank account is sent as; eCheck by default. */
  readonly bankType?: string
  /** A webhook about a payment; absent where the provider sends none. */
  readonly webhook?: SignWebhook
  /** Whether its webhooks are hints that nobody signs: a forged one is answered like any other. */
  readonly hasUnsignedWebhooks?: true
  /** Sets the stand-in's clock, where payments are found by the day on which they were made. */
  readonly setClock?: (sandbox: TestSandbox, at: Date) => Promise<void>
  /** How cards are settled at the end of a day, where that changes how they are given back: each by itself, or all by a call of this path. */
  readonly settlesCards?: 'each' | `/${string}`
  readonly store: Readonly<Partial<Record<'card' | 'bank', StoreMethod>>>
  readonly adapter: AdapterDriver
  /** Absent for Stripe: the tests of engine and areas pay through it. */
  readonly api?: ApiDriver
}

/** A provider through which the suites pay over HTTP. */
export type ApiProvider = ProviderDriver & { readonly api: ApiDriver }

/** How the adapter is called past the engine. */
interface AdapterDriver {
  readonly provider: PaymentProvider
  readonly settings: object
  /** Texts that no transcript may contain. */
  readonly secrets: readonly string[]
  /** Enters a card for this purpose; its key, where the provider gives one. */
  readonly enterCard: (
    bench: AdapterBench,
    purpose: 'store' | 'pay',
    typed?: TypedDetails,
  ) => Promise<{ readonly card: NewCard & Partial<NewMethod>; readonly entryReference?: string }>
  /** New cards that are declined, by what is typed or by the amount in minor units. */
  readonly declining: Readonly<Partial<Record<DeclineReason, TypedDetails & { readonly minor?: bigint; readonly entryReference?: string }>>>
  /** Whether a part of a payment can be given back at once; true unless it says so. */
  readonly refundsInParts?: false
  /** Whether the provider forgets a method that is removed; true unless it says so. Tokens of some providers are valid for ever. */
  readonly forgetsRemoved?: false
  /** Whether the provider gives its reference before any money can move. One-call providers do not. */
  readonly givesReferenceFirst: boolean
  /** Makes the next charge approved but not stored, as in a test mode, where the provider has one. */
  readonly approveWithoutStoring?: (bench: AdapterBench) => ReturnType<AdapterBench['context']>
  /** A card whose charge the provider holds for review, where it does. */
  readonly heldForReview?: TypedDetails
}

/** What its paths answer to customers and operators. */
interface ApiDriver {
  /** Accounts stand in the list of cards where they have no path of their own. */
  readonly paths: { readonly cards: string; readonly accounts?: string; readonly default: string }
  /** What follows the id in the path that removes an account. */
  readonly detach?: `/${string}`
  /** How the usual card and account are listed, beside their id and whether they are the default. */
  readonly listed: { readonly card: object; readonly account?: object }
  /** Another card, what else its body has, and a part of its row. */
  readonly secondCard: { readonly typed: TypedDetails; readonly change?: object; readonly listed: object }
  /** Changes of what stores a method that are refused, each with the path of the field that is named. */
  readonly wrong?: Readonly<Partial<Record<'card' | 'bank', readonly (readonly [change: object, path: string])[]>>>
  /** Cards that are not stored, and what the payer reads. */
  readonly refusedCards?: readonly (readonly [typed: TypedDetails, userMessage: string])[]
  /** The stand-in's operation that stores a card; `store` by default. */
  readonly storeOperation?: string
  /** The provider's own fields, where a reseller may choose between them and card numbers. */
  readonly ownFields?: {
    readonly fields: (standIn: string, resellerId: number) => object
    readonly enter: (sandbox: TestSandbox, fields: Readonly<Record<string, string>>) => Promise<string>
    /** What a card is stored with beside its token, and a part of its row. */
    readonly beside: object
    readonly listed: object
  }
  /** Options of the command that connects a reseller. */
  readonly options?: (sandbox: TestSandbox, resellerId: number) => Promise<Record<string, string>>
  /** What the public page of an invoice is told beside the payment type. */
  readonly linkPage: (standIn: string, resellerId: number) => object
  /** A part of the attempt that a payment by link leaves. */
  readonly attempt: object
  /** Settings by which a settled debit is paid at once. */
  readonly clearsAtOnce?: object
  /** In how many banking days the money of a debit is expected; unknown by default. */
  readonly debitDays?: number
  /** A part of what the test of an account says. */
  readonly account: object
  readonly wrongSettings: object
  /** Settings that the provider refuses, and what the operator reads. */
  readonly refusedSettings: readonly [settings: object, words: string]
  /** What the operator reads who gives back a part before settlement, where that is not possible. */
  readonly partBeforeSettlement?: string
  /** What the operator reads after a refund without an answer, who then repeats it; absent where it is found at once. */
  readonly lostRefund?: string
  /** Whether its stand-in declines no refund, but for more than was paid. */
  readonly acceptsEveryRefund?: true
  /** The operations whose answers can be lost without a person having to look. */
  readonly lostOperations: readonly ('void' | 'refund')[]
}
