import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'

/**
 * Our reasons for Authorize.net's codes: the reason codes of a transaction are numbers, the errors of a request begin with E. An error
 * that is not here leaves open whether a transaction was made.
 */
const DECLINE_REASONS: Readonly<Record<string, DeclineReason>> = {
  2: 'card_declined',
  3: 'card_declined',
  4: 'card_declined',
  5: 'amount_not_accepted',
  6: 'invalid_account',
  7: 'expired_card',
  8: 'expired_card',
  9: 'invalid_account',
  10: 'invalid_account',
  13: 'not_configured',
  17: 'card_declined',
  18: 'not_configured',
  19: 'try_again',
  20: 'try_again',
  21: 'try_again',
  22: 'try_again',
  23: 'try_again',
  25: 'try_again',
  26: 'try_again',
  27: 'card_declined',
  28: 'card_declined',
  37: 'invalid_account',
  39: 'currency_not_accepted',
  44: 'incorrect_cvc',
  45: 'incorrect_cvc',
  49: 'amount_too_large',
  57: 'try_again',
  58: 'try_again',
  59: 'try_again',
  60: 'try_again',
  61: 'try_again',
  62: 'try_again',
  63: 'try_again',
  65: 'incorrect_cvc',
  78: 'incorrect_cvc',
  103: 'not_configured',
  127: 'card_declined',
  165: 'incorrect_cvc',
  315: 'invalid_account',
  316: 'expired_card',
  317: 'expired_card',
  E00003: 'enter_again',
  E00005: 'not_configured',
  E00006: 'not_configured',
  E00007: 'not_configured',
  E00008: 'not_configured',
  E00009: 'not_configured',
  E00010: 'not_configured',
  E00011: 'not_configured',
  E00013: 'invalid_account',
  E00014: 'enter_again',
  E00015: 'invalid_account',
  E00027: 'card_declined',
  E00029: 'enter_again',
  E00040: 'method_gone',
  E00042: 'not_accepted',
  E00051: 'not_accepted',
  E00090: 'not_configured',
  E00093: 'not_configured',
  E00102: 'enter_again',
  E00114: 'enter_again',
}

/** The reasons for which a bank returns a debit (Nacha). */
const RETURN_REASONS: Readonly<Record<string, DeclineReason>> = {
  R01: 'insufficient_funds',
  R09: 'insufficient_funds',
  R02: 'invalid_account',
  R03: 'invalid_account',
  R04: 'invalid_account',
  R12: 'invalid_account',
  R13: 'invalid_account',
  R16: 'invalid_account',
  R20: 'invalid_account',
}

/** Reason codes that leave open whether the card was charged: a duplicate of another request, and a void that failed after a time-out. */
const UNDECIDED_CODES: ReadonlySet<string> = new Set(['11', '120', '121', '122'])

/** Texts of ours for codes whose own text is not for people. */
const TEXTS: Readonly<Record<string, string>> = {
  E00003: 'The payment could not be made with these details. Please check them.',
  E00040: 'This payment method is not stored any more. Please use another one.',
  E00114: 'The details of the card have expired. Please enter them again.',
}

const MAX_TEXT_LENGTH = 300

/** Whether a reason code rules out that money moved. */
export const isDecided = (reasonCode: string): boolean => !UNDECIDED_CODES.has(reasonCode)

/** Whether a request with this error never became a transaction. */
export const isRejection = (code: string): boolean => code.startsWith('E') && code !== 'E00027' && Object.hasOwn(DECLINE_REASONS, code)

/** Errors with which Authorize.net says that it could not work on a request. */
const FAILURES: ReadonlySet<string> = new Set(['E00000', 'E00001', 'E00053', 'E00104'])

/** Whether this error says that a method cannot be stored: storing moves no money, so that every refusal is one. */
export const isStoreDecline = (code: string): boolean => /^E\d+$/.test(code) && !FAILURES.has(code)

/**
 * The decline of a reason code or error, `card_declined` for one that is not listed here. The payer is told Authorize.net's text, except
 * about the account's set-up.
 */
export const toDecline = (code: string, text: string): Decline => {
  const reason = (Object.hasOwn(DECLINE_REASONS, code) ? DECLINE_REASONS[code] : undefined) ?? 'card_declined'
  // The text of an error that is not known may be about anything.
  const ofGateway = code.startsWith('E') && !Object.hasOwn(DECLINE_REASONS, code) ? '' : text.slice(0, MAX_TEXT_LENGTH)
  const userMessage =
    reason === 'not_configured' ? REJECTION_TEXTS.not_configured : (TEXTS[code] ?? (ofGateway || REJECTION_TEXTS.not_accepted))
  return { state: 'declined', reason, providerCode: code, providerText: text, userMessage }
}

/** The decline of a debit that the bank returned, by Nacha's return code; `card_declined` for one that is not listed here. */
export const toReturnDecline = (code: string): Decline => ({
  state: 'declined',
  reason: (Object.hasOwn(RETURN_REASONS, code) ? RETURN_REASONS[code] : undefined) ?? 'card_declined',
  providerCode: code,
  userMessage: 'The bank returned the debit. Please use another payment method, or contact your bank.',
})
