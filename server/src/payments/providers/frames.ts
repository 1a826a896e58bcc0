import type { Money } from '@counterfoil/contract/kit/money'
import type { ProviderContext } from './account.ts'
import type { MethodDetails } from './method.ts'

/**
 * The provider's own page, to be shown in a frame, in which a card or an account becomes a token under our reference. What is entered so is
 * stored and charged by the typed method of kind `token` with that reference.
 */
export interface ProviderFrames<Settings> {
  /** The address of the page. */
  url(context: ProviderContext<Settings>, frame: FrameRequest): string
  /** Reads what the page posts when it is done. Total. */
  parseReturn(fields: Readonly<Record<string, string>>): FrameReturn
}

/** What the provider's own page in a frame is for, and which fields it has beside the card or account. */
export interface FrameRequest {
  /** Our reference of what is entered, in the form of our references. The page uses it once. */
  readonly reference: string
  readonly kind: 'card' | 'bank'
  /** What the page's button says. */
  readonly buttonText: string
  /** What is to be paid, for show; null where a method is stored. The page charges nothing. */
  readonly amount: Money | null
  /** What is paid; empty where a method is stored. */
  readonly orderNumber: string
  /** The fields of the page, and those among them that must be filled. */
  readonly fields: readonly FrameField[]
  readonly requiredFields: readonly FrameField[]
  /** Where it sends the browser, with a form post, when it is done. */
  readonly returnUrl: string
}

type FrameField = 'name' | 'email' | 'address'

/** What the provider's page posts when it is done. Nothing that money depends on is believed of it. */
export interface FrameReturn {
  /** What the portal's screen gets when all is well: 000, or a code of the provider's own that also stands for an accepted entry. */
  readonly code: string
  /** Why nothing was entered, as text to show; null when it was. */
  readonly failure: string | null
  /** The expiry of a card, the bank of an account. */
  readonly details: Pick<MethodDetails, 'expMonth' | 'expYear' | 'bankCode'>
  readonly cardHolder?: string
  readonly email?: string
  readonly billingAddress?: {
    readonly address?: string
    readonly city?: string
    readonly state?: string
    readonly zip?: string
    readonly country?: string
  }
}
