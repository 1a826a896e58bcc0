import { REJECTION_TEXTS } from './decline.ts'
import type { Decline } from './provider.ts'

/** The refusal of an entry that cannot be used. Nothing was sent. */
export const declineEntry = (providerCode: string, userMessage = REJECTION_TEXTS.enter_again): Decline => ({
  state: 'declined',
  reason: 'enter_again',
  providerCode,
  userMessage,
})

/** Thrown where a provider refuses what a method or a payment needs first, such as a customer. */
export class RefusedByProvider extends Error {
  override readonly name = 'RefusedByProvider'
  readonly decline: Decline

  constructor(decline: Decline) {
    super(`the provider refused it (${decline.providerCode})`)
    this.decline = decline
  }
}
