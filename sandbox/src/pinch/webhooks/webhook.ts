import { randomBytes } from 'node:crypto'

/** Where an account wants its events. */
export interface Webhook {
  readonly id: string
  readonly object: 'webhook'
  readonly uri: string
  readonly secret: string
  readonly format: 'pascal-case' | 'camel-case'
  /** Null for every type. */
  readonly eventTypes: readonly string[] | null
}

/** An event as the list of events and its own call show it. */
export interface PinchEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  readonly eventDate: string
  readonly metadata: object
  readonly data: object
}

/** A new random webhook secret, not stored. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`
