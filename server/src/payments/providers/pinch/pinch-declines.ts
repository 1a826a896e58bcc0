import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'
import { errorMessagesOf, isNotFoundMessage } from './pinch-errors.ts'

/** Our reasons for Pinch's codes of a dishonour. */
const DISHONOURS: Readonly<Record<string, DeclineReason>> = {
  'insufficient-funds': 'insufficient_funds',
  'temporary-problem': 'try_again',
  'blocked-by-bank': 'card_declined',
  'invalid-card': 'invalid_account',
  'invalid-account': 'invalid_account',
  'unsupported-card': 'card_declined',
  'technical-error': 'try_again',
}

const TEXTS: Readonly<Record<DeclineReason, string>> = {
  ...REJECTION_TEXTS,
  card_declined: 'The payment was declined. Please use another payment method, or ask your bank.',
  expired_card: 'The card has expired. Please use another card.',
  incorrect_cvc: 'The security code of the card is not right. Please check it.',
  insufficient_funds: 'The account has not enough funds. Please use another payment method.',
  invalid_account: 'This payment method cannot be used. Please check its details, or use another one.',
  method_gone: 'This payment method cannot be used. Please check its details, or use another one.',
}

/** A decline for a reason, with our words for the payer unless others are given. */
export const declineOf = (reason: DeclineReason, providerCode: string, userMessage = TEXTS[reason]): Decline => ({
  state: 'declined',
  reason,
  userMessage,
  providerCode,
})

/**
 * Whether a token has the form of those that a browser makes at Pinch. Any other id may be another customer's, so it may be neither stored
 * nor charged.
 */
export const isBrowserToken = (token: string): boolean => /^tkn_\w{1,200}$/.test(token)

/** The decline of a card that was entered without the payer's name and email, of which Pinch makes its payer. */
export const missingPayerDecline = (): Decline =>
  declineOf('enter_again', 'no-contact', 'Enter the name on the card and your email address.')

/** The decline of a payment that its bank refuses; a code that is not documented is a decline all the same, since its status says so. */
export const declineOfDishonour = (code: string | undefined): Decline =>
  declineOf(DISHONOURS[code ?? ''] ?? 'card_declined', code?.slice(0, 100) ?? 'dishonoured')

/**
 * What Pinch's validation says of a request that it refused before anything was done. Its first message is shown to the payer, unless it
 * names an id, which is not meant for people.
 * @returns undefined where the body has no error of Pinch, or the error is about the nonce: a payment may have used it
 */
export const declineOfErrors = (body: unknown): Decline | undefined => {
  const [message] = errorMessagesOf(body)
  // Whether a nonce that is refused was used by a payment is not known.
  if (message === undefined || /nonce/i.test(message)) return undefined
  const providerCode = message.slice(0, 100)
  if (isNotFoundMessage(message, 'payer')) return { ...declineOf('method_gone', providerCode), isCustomerGone: true }
  if (/\b(?:pyr|src|tkn|pmt|ref|mch)_\w+/.test(message)) return declineOf('method_gone', providerCode)
  const isAboutAmount = /\bamount\b/i.test(message)
  const reason = /\bcurrency\b/i.test(message) ? 'currency_not_accepted' : isAboutAmount ? 'amount_not_accepted' : 'not_accepted'
  return declineOf(reason, providerCode, message.slice(0, 300))
}
