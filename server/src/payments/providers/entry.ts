import type { PageOrigins } from '../../http/security-headers.ts'
import type { KnownMethod } from './method.ts'

/** What the payment pages load from the provider. A stand-in serves all of it from the origin of its API. */
export interface ProviderPage {
  /** Absent where it has frames alone. */
  readonly script?: { readonly liveUrl: string; readonly standInPath: string }
  readonly liveOrigins: PageOrigins
}

/** How the public payment page shows the provider's form. */
export interface PayForm {
  /** As the API names it, where the form is the provider's own. */
  readonly integrationType: string | null
  /** Whether the whole form is the provider's frame. */
  readonly usesIframe: boolean
  /** Whether the provider needs the card holder's name, whatever the reseller's setting. */
  readonly needsHolder: boolean
  /** Whether the provider takes nothing without the payer's name and email address, neither to pay nor to store. */
  readonly needsEmail?: boolean
}

/** For whom an entry starts, and the stored method that it changes, if any. */
export interface CardFormCustomer {
  /** Our id of the customer. */
  readonly customerId: number
  readonly method?: KnownMethod
  readonly email?: string
}

/** What the browser needs for the provider's own fields: a public key, a one-time token, the address of a frame. Nothing secret. */
export interface CardFormSession {
  readonly fields: Readonly<Record<string, string>>
  /** What the provider must get again when the entry is used to pay; kept on the intent. */
  readonly entryReference: string | null
}
