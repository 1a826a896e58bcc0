import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'

/** Our reasons for Moneris' response codes of 050 and more; the default is `card_declined`. */
const REASONS_BY_CODE: Readonly<Record<string, DeclineReason>> = {
  '051': 'expired_card',
  '055': 'invalid_account',
  '074': 'try_again',
  '075': 'invalid_account',
  '076': 'insufficient_funds',
  '079': 'insufficient_funds',
  '080': 'insufficient_funds',
  '081': 'insufficient_funds',
  '082': 'insufficient_funds',
  '083': 'insufficient_funds',
  '113': 'try_again',
  '208': 'expired_card',
  '475': 'expired_card',
  '477': 'invalid_account',
  '482': 'expired_card',
  '484': 'expired_card',
  '486': 'incorrect_cvc',
  '487': 'incorrect_cvc',
  '489': 'incorrect_cvc',
  '490': 'incorrect_cvc',
}

/** Messages with which Moneris rejects a request before anything is processed. Any other message proves nothing. */
const REJECTIONS: readonly { readonly pattern: RegExp; readonly code: string; readonly reason: DeclineReason }[] = [
  { pattern: /^api token mismatch/i, code: 'api_token_mismatch', reason: 'not_configured' },
  { pattern: /^invalid pan\b/i, code: 'invalid_pan', reason: 'invalid_account' },
  { pattern: /^invalid (expiry date|expdate)\b/i, code: 'invalid_expdate', reason: 'expired_card' },
  { pattern: /^invalid cvd/i, code: 'invalid_cvd', reason: 'incorrect_cvc' },
  { pattern: /^invalid data.?key\b/i, code: 'invalid_data_key', reason: 'method_gone' },
]

/** Moneris' own messages are not meant for people. */
const TEXTS: Readonly<Record<DeclineReason, string>> = {
  ...REJECTION_TEXTS,
  card_declined: 'Your card was declined.',
  expired_card: 'Your card has expired, or its expiry date is incorrect.',
  incorrect_cvc: 'The security code of your card is incorrect.',
  insufficient_funds: 'Your card has insufficient funds.',
  invalid_account: 'This card cannot be used. Please check its number, or use another card.',
  try_again: 'Your bank could not be reached. Please try again later.',
}

/** The decline for a reason and code, in words of ours for the payer. */
const toDecline = (reason: DeclineReason, providerCode: string): Decline => ({
  state: 'declined',
  reason,
  providerCode,
  userMessage: TEXTS[reason],
})

/** The decline of a response code; `card_declined` for one that is not listed here. The words for the payer are ours. */
export const declineOfCode = (code: string): Decline => toDecline(REASONS_BY_CODE[code] ?? 'card_declined', code)

/** The decline of a request that was rejected for a reason that we know; undefined where the message leaves open what happened. */
export const declineOfMessage = (message: string): Decline | undefined => {
  const known = REJECTIONS.find(({ pattern }) => pattern.test(message))
  return known && toDecline(known.reason, known.code)
}

/** Whether the message of a rejection says that Moneris has no stored card of this data key. */
export const isUnknownDataKey = (message: string): boolean => declineOfMessage(message)?.providerCode === 'invalid_data_key'

/** The issuer says that the security code is wrong, although it approves. */
export const WRONG_CODE_DECLINE: Decline = toDecline('incorrect_cvc', 'cvd_1N')
