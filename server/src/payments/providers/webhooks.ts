/** What a webhook event is about: ids alone. */
export interface WebhookEvent {
  readonly eventId: string
  readonly kind: string
  /** `payment`: an attempt to look up, by our reference or the provider's. `other`: nothing that money depends on. */
  readonly about: 'payment' | 'other'
  readonly ourRef?: string
  readonly providerRef?: string
}
