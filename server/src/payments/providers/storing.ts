import type { Decline } from './decline.ts'
import type { Contact, StoredMethod } from './method.ts'

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
