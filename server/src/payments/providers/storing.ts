import type { Card } from '@counterfoil/contract/payment-methods'
import type { ProviderContext } from './account.ts'
import type { Decline } from './decline.ts'
import type { Contact, KnownMethod, MethodDetails, NewMethod, StoredMethod } from './method.ts'
import type { ClientInfo } from './order.ts'

/** The cards and accounts that a customer keeps at the provider. */
export interface ProviderStoring<Settings> {
  /** The segment of the API's paths for stored methods: /v1/ec/<pathFamily>/cards. Providers may share one. */
  readonly pathFamily: string
  store(
    context: ProviderContext<Settings>,
    providerCustomerId: string,
    input: NewMethod,
    options: { client: ClientInfo; returnUrl: string; id: string; customerId: number; debitType?: string | null },
  ): Promise<StoreMethodResult>
  /** Prepares what the browser needs to store a method: with a widget for these types, or on the provider's own page for one type. */
  startSetup?(
    context: ProviderContext<Settings>,
    purpose: { providerCustomerId: string; types: readonly string[]; page: { returnUrl: string } | null },
  ): Promise<BrowserSetup>
  update?(
    context: ProviderContext<Settings>,
    method: KnownMethod,
    changes: Omit<MethodDetails, 'brand' | 'last4' | 'networkRef'>,
  ): Promise<StoreMethodResult>
  /** Removes a stored method; one that is already gone counts as removed. */
  remove(context: ProviderContext<Settings>, method: KnownMethod): Promise<void>
  setDefault?(context: ProviderContext<Settings>, providerCustomerId: string, token: string): Promise<void>
  /** Whether a default method stays while there are others of its kind: another is made the default first. */
  readonly requiresReplacementBeforeRemovingDefault?: boolean
  /** Lists a customer's stored methods of these types, oldest first, where the provider is the source of truth. */
  list?(context: ProviderContext<Settings>, providerCustomerId: string, types: readonly string[]): Promise<StoredMethod[]>
  /** Creates the customer at the provider; the same reference is the same customer. */
  createCustomer?(context: ProviderContext<Settings>, customer: NewCustomer): Promise<string>
  /** How a card is shown in a family of paths that providers share; as a `stripeCard` when absent. */
  readonly toCardResponse?: (details: MethodDetails) => Partial<Card>
}

export type StoreMethodResult =
  | { readonly state: 'succeeded'; readonly method: StoredMethod }
  | { readonly state: 'processing' }
  | { readonly state: 'requires_action'; readonly redirectUrl: string }
  | Decline
  | { readonly state: 'unknown'; readonly detail: string }

/** Thrown when the provider does not know the customer for whom a method is to be stored. */
export class CustomerGone extends Error {
  override readonly name = 'CustomerGone'
}

/** What the browser needs to show a form. Nothing secret. */
export type BrowserSetup =
  | { readonly kind: 'widget'; readonly id: string; readonly clientSecret: string; readonly types: readonly string[] }
  | { readonly kind: 'redirect'; readonly sessionId: string; readonly url: string }

/** A customer to create at the provider. */
export interface NewCustomer {
  readonly reference: string
  readonly name: string
  readonly key: string
  /** Who entered the method for which it is created; absent where nobody is known. */
  readonly contact?: Contact
}
