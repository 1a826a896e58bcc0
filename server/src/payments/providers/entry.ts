import type { PageOrigins } from '../../http/security-headers.ts'
import type { ProviderContext } from './account.ts'
import type { KnownMethod, TypedMethod } from './method.ts'

/** How a payer types or enters a card or an account. */
export interface ProviderEntry<Settings> {
  /** The kinds of typed methods that the provider accepts. A reseller must allow card numbers too. */
  readonly accepts: readonly TypedMethod['kind'][]
  /** Creates a form of the provider's own fields in the browser, to store a method or to pay with one that is not stored. */
  createCardForm?(context: ProviderContext<Settings>, purpose: 'store' | 'pay', customer?: CardFormCustomer): Promise<CardFormSession>
  readonly page?: ProviderPage
  readonly payForm?: PayForm
  /** Whether a bulk payment may name the stored method that pays in `cardToken`, too. */
  readonly acceptsStoredMethodInCardToken?: boolean
  /**
   * Whether payers come back from confirming by an address of the server with its own signed state, as the provider adds fields of its own.
   */
  readonly returnsThroughServer?: boolean
}

/** What the payment pages load from the provider. A stand-in serves all of it from the origin of its API. */
export interface ProviderPage {
  /** Absent where the provider has frames alone. */
  readonly script?: { readonly liveUrl: string; readonly standInPath: string }
  readonly liveOrigins: PageOrigins
}

/** How the public payment page shows the provider's form. */
interface PayForm {
  /** As the API names it, where the form is the provider's own. */
  readonly integrationType: string | null
  /** Whether the whole form is the provider's frame. */
  readonly usesIframe: boolean
  /** Whether the provider needs the card holder's name, whatever the reseller's setting. */
  readonly needsHolder: boolean
  /** Whether the provider accepts nothing without the payer's name and email address, neither to pay nor to store. */
  readonly needsEmail?: boolean
}

/** For whom a card form is created, and the stored method that it changes, if any. */
export interface CardFormCustomer {
  /** Our id of the customer. */
  readonly customerId: number
  readonly method?: KnownMethod
  readonly email?: string
}

/** What the browser needs for the provider's own fields: a public key, a one-time token, the address of a frame. Nothing secret. */
interface CardFormSession {
  readonly fields: Readonly<Record<string, string>>
  /** What the provider must get again when the form is used to pay; kept on the intent. */
  readonly entryReference: string | null
}
