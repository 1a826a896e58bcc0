import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'

/** The only code of an approval. */
const APPROVED = '000'

/** Of an enquiry or a reference to an earlier transaction: the gateway does not know it. */
const NOT_FOUND: ReadonlySet<string> = new Set(['025', '940'])

/** IPpay's codes with which certainly nothing was charged. Every other code, and every one that is not documented, leaves it open. */
const REASONS: Readonly<Partial<Record<DeclineReason, string>>> = {
  card_declined:
    '001 002 004 005 007 012 019 030 041 043 055 057 062 063 065 070 075 080 084 086 087 093 100 103 104 105 106 107 115 125 187 200 601 602 604 750 899 903 904 905 908 909 919 930 931 932 942 943 981 997',
  expired_card: '054 101 188 917',
  incorrect_cvc: '082 122 806 933',
  insufficient_funds: '051 061',
  invalid_account: '014 015 039 052 053 078 111 912 913 914 923 924',
  amount_not_accepted: '013 110 920',
  not_configured: '003 058 109 183 189 901 906 911 921 925 926 934 941 996',
  try_again: '089 091 092 987',
}

const REASONS_BY_CODE: ReadonlyMap<string, DeclineReason> = new Map(
  Object.entries(REASONS).flatMap(([reason, codes]) => codes.split(' ').map((code) => [code, reason as DeclineReason] as const)),
)

/** IPpay's own messages are not meant for people. Each is short enough for a message of the frame. */
const TEXTS: Readonly<Record<DeclineReason, string>> = {
  ...REJECTION_TEXTS,
  card_declined: 'Your card was declined.',
  expired_card: 'Your card has expired, or its expiry date is incorrect.',
  incorrect_cvc: 'The security code of your card is incorrect.',
  insufficient_funds: 'Your card has insufficient funds.',
  invalid_account: 'This number cannot be used. Please check it.',
  try_again: 'Your bank could not be reached. Please try again later.',
}

const BANK_TEXTS: Readonly<Partial<Record<DeclineReason, string>>> = {
  card_declined: 'Your bank did not accept the payment.',
  insufficient_funds: 'Your bank account has insufficient funds.',
}

const ADDRESS_CODES: ReadonlySet<string> = new Set(['930', '931', '932', '981'])
const ADDRESS_TEXT = 'The billing address does not match the card.'

/** What a code says of a charge. */
export type CodeMeaning = 'approved' | 'not_found' | 'unknown' | Decline

/** The message with which the gateway refuses a number before anything is sent on. */
const INVALID_NUMBER = /^invalid card number/i

/**
 * What an answer's or a report's code means; `unknown` for no code and for one that leaves open whether money moved.
 * @param kind of the method that pays: it chooses the words for the payer
 */
export const meaningOf = (code: string | undefined, errMsg: string | undefined, kind: 'card' | 'bank' = 'card'): CodeMeaning => {
  if (code === undefined) return 'unknown'
  if (code === APPROVED) return 'approved'
  if (NOT_FOUND.has(code)) return 'not_found'
  // 900 is a message that was not processed: of a wrong number, or one that the gateway does not take at all.
  const reason = code === '900' ? (INVALID_NUMBER.test(errMsg ?? '') ? 'invalid_account' : 'not_configured') : REASONS_BY_CODE.get(code)
  return reason === undefined ? 'unknown' : toDecline(reason, code, kind)
}

/** The decline for a reason and code, in words of ours that fit a card or a bank account. */
const toDecline = (reason: DeclineReason, providerCode: string, kind: 'card' | 'bank'): Decline => ({
  state: 'declined',
  reason,
  providerCode,
  userMessage: ADDRESS_CODES.has(providerCode) ? ADDRESS_TEXT : ((kind === 'bank' ? BANK_TEXTS[reason] : undefined) ?? TEXTS[reason]),
})

/** The decline of a debit that came back from the bank before it was settled. */
export const RETURNED_DECLINE: Decline = {
  state: 'declined',
  reason: 'card_declined',
  providerCode: 'returned',
  userMessage: 'The payment was returned by the bank.',
}

/** A frame of ours that made no token. */
export const NO_TOKEN_DECLINE: Decline = {
  state: 'declined',
  reason: 'enter_again',
  providerCode: 'no-token',
  userMessage: 'Nothing was entered. Please try again.',
}

/** Whether a code says that the gateway did not void a sale, because its batch is closed or it is not there to be voided. */
export const isNotVoidable = (code: string | undefined): boolean => ['021', '025', '076', '077', '084', '940'].includes(code ?? '')
