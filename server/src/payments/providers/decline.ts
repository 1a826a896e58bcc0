/** What a provider says against the payer's card or account. Only that counts as a decline. */
type MethodReason = 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'insufficient_funds' | 'invalid_account'

/** Why a provider does not do what it is asked, without a word against the payer's card or account (`decline.ts`). */
export type RejectionReason =
  | 'amount_too_small'
  | 'amount_too_large'
  | 'amount_not_accepted'
  | 'currency_not_accepted'
  /** A stored card or account that the provider does not know any more. */
  | 'method_gone'
  /** What was entered cannot be used: it has expired, or something is missing. */
  | 'enter_again'
  | 'not_accepted'
  | 'not_configured'
  /** The provider, or a bank that could not be reached. */
  | 'try_again'

/** Why nothing was done, in our words. Each provider maps its own codes to these. */
export type DeclineReason = MethodReason | RejectionReason

/** Certainly nothing was done, and nothing will be. The engine tells a decline from a refusal by its reason. */
export interface Decline {
  readonly state: 'declined'
  readonly reason: DeclineReason
  /** The text for the payer: the provider's own where it is meant for people, else ours. */
  readonly userMessage: string
  readonly providerCode: string
  /** What the provider itself says, for operators; never for the payer. */
  readonly providerText?: string
  /** The provider no longer knows the customer: the account has changed, or the customer was deleted there. */
  readonly isCustomerGone?: true
}

/** What a payment is over, and whether a bank account pays it. */
interface PaymentWords {
  readonly currency: string
  readonly isDebit: boolean
}

const wayToPay = (isDebit: boolean): string => (isDebit ? 'from a bank account' : 'by card')

/** The words for an amount below the smallest that the provider charges. */
export const amountTooSmallText = (isDebit: boolean): string =>
  `This amount is too small to be paid ${wayToPay(isDebit)}. Pay it together with your next invoice.`

/** The words for an amount above the largest that the provider charges. */
export const amountTooLargeText = (isDebit: boolean): string =>
  `This amount is too large to be paid ${wayToPay(isDebit)}. Please contact support.`

/** The words for a currency that cannot be charged. */
export const currencyNotAcceptedText = (currency: string): string => `Payments in ${currency} are not possible here.`

/** What a payer is told of a refusal, unless the provider has words of its own for people. */
export const REJECTION_TEXTS: Readonly<Record<RejectionReason, string>> = {
  amount_too_small: amountTooSmallText(false),
  amount_too_large: amountTooLargeText(false),
  amount_not_accepted: 'This amount cannot be paid here. Please contact support.',
  currency_not_accepted: currencyNotAcceptedText('this currency'),
  method_gone: 'This payment method cannot be used any more. Please use another one.',
  enter_again: 'The payment method could not be read. Please enter it again.',
  not_accepted: 'The payment could not be made. Please try another payment method, or contact support.',
  not_configured: 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
  try_again: 'The payment could not be made. Please try again later.',
}

/**
 * Whether a decline's reason is a `RejectionReason`: the provider says nothing against the payer's card or account, and nothing counts as a
 * decline of theirs. False for null.
 */
export const isRejectedRequest = (reason: string | null): reason is RejectionReason =>
  reason !== null && Object.hasOwn(REJECTION_TEXTS, reason)

/**
 * What the payer is told of a decline: our own words about an amount or a currency, since providers write theirs for developers; else
 * `userMessage`.
 */
export const payerText = ({ reason, userMessage }: Decline, { currency, isDebit }: PaymentWords): string => {
  switch (reason) {
    case 'amount_too_small':
      return amountTooSmallText(isDebit)
    case 'amount_too_large':
      return amountTooLargeText(isDebit)
    case 'amount_not_accepted':
      return REJECTION_TEXTS.amount_not_accepted
    case 'currency_not_accepted':
      return currencyNotAcceptedText(currency)
    default:
      return userMessage
  }
}

/** A decline with the reason `enter_again`, for a typed method that cannot be used. Nothing was charged. */
export const declineTypedMethod = (providerCode: string, userMessage = REJECTION_TEXTS.enter_again): Decline => ({
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
