import type { ProviderContext } from './account.ts'

/** What the provider tells of payments on its own. */
export interface ProviderWebhooks<Settings> {
  /** Whether a signature proves where a webhook comes from. A webhook without one is a hint to look up a payment that exists. */
  readonly isSigned: boolean
  /**
   * Verifies and parses a webhook.
   * @throws ApiError 401 when the signature is not the provider's
   */
  parse(context: ProviderContext<Settings>, request: { headers: Readonly<Record<string, string>>; raw: string }): readonly WebhookEvent[]
}

/** What a webhook event is about: ids alone. */
export interface WebhookEvent {
  readonly eventId: string
  readonly kind: string
  /** `payment`: an attempt to look up, by our reference or the provider's. `other`: nothing that money depends on. */
  readonly about: 'payment' | 'other'
  readonly merchantReference?: string
  readonly providerRef?: string
}
