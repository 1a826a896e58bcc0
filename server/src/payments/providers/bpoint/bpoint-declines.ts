import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'

const TEXTS: Readonly<Record<DeclineReason, string>> = {
  ...REJECTION_TEXTS,
  card_declined: 'The payment was declined. Please use another payment method, or ask your bank.',
  expired_card: 'The card has expired. Please use another card.',
  incorrect_cvc: 'The security code of the card is not right. Please check it.',
  insufficient_funds: 'The account has not enough funds. Please use another payment method.',
  invalid_account: 'This payment method cannot be used any more. Please use another one.',
}

/** What the payer is told of a decline for this reason. */
export const declineTextOf = (reason: DeclineReason): string => TEXTS[reason]

/**
 * Our reasons for BPOINT's response codes by which no money moved and none will. A code that is missing here, such as 6 (error
 * communicating with the bank) or S (duplicate), leaves that open.
 */
const DECLINE_REASONS: Readonly<Record<string, DeclineReason>> = {
  '1': 'card_declined',
  '2': 'card_declined',
  '3': 'card_declined',
  '4': 'card_declined',
  '5': 'card_declined',
  '8': 'card_declined',
  '9': 'card_declined',
  E: 'card_declined',
  F: 'card_declined',
  I: 'incorrect_cvc',
  R: 'card_declined',
  U: 'incorrect_cvc',
  PT_V1: 'not_configured',
  PT_V2: 'not_configured',
  PT_V3: 'amount_not_accepted',
  PT_V4: 'invalid_account',
  PT_V5: 'expired_card',
  PT_V6: 'incorrect_cvc',
  PT_V7: 'card_declined',
  PT_V9: 'not_configured',
  PT_V10: 'not_configured',
  PT_V11: 'card_declined',
  PT_V12: 'card_declined',
  PT_V13: 'invalid_account',
  PT_V14: 'invalid_account',
  PT_V15: 'invalid_account',
  PT_V16: 'try_again',
  PT_V17: 'not_configured',
  PT_V18: 'card_declined',
  PT_T1: 'not_configured',
  PT_T2: 'method_gone',
  PT_T5: 'not_configured',
  PT_T6: 'invalid_account',
  PT_T7: 'invalid_account',
}

/** The response codes with which a bank declines; its own code then says why. */
export const BANK_DECLINES: readonly string[] = ['1', '2', '3', '4', '5']

/** Our reasons for a bank's own codes; any other one is a plain decline. */
const BANK_REASONS: Readonly<Record<string, DeclineReason>> = {
  '14': 'invalid_account',
  '15': 'invalid_account',
  '33': 'expired_card',
  '39': 'invalid_account',
  '51': 'insufficient_funds',
  '52': 'invalid_account',
  '53': 'invalid_account',
  '54': 'expired_card',
}

/** The bank's codes for approved. */
export const APPROVED_BANK_CODES: ReadonlySet<string> = new Set(['00', '08', '16'])

/** A bank that was not reached, answered late, or saw a duplicate; and approvals, which no decline can have. */
const UNDECIDED_BANK_CODES: ReadonlySet<string> = new Set([...APPROVED_BANK_CODES, '09', '10', '11', '32', '68', '91', '94', '96'])

/** The codes of a transaction that was not approved, as BPOINT writes them. */
interface TransactionCodes {
  readonly responseCode: string
  readonly bankResponseCode: string | null
  /** N where the security code did not match. */
  readonly cvnResult: string | null
}

/**
 * The decline that a transaction's codes mean: the bank's own code says why where the bank declined. Undefined for codes that do not rule
 * out that money moved.
 */
export const toTransactionDecline = ({ responseCode, bankResponseCode, cvnResult }: TransactionCodes): Decline | undefined => {
  const known = DECLINE_REASONS[responseCode]
  if (known === undefined) return undefined
  const isByBank = BANK_DECLINES.includes(responseCode)
  if (isByBank && bankResponseCode !== null && UNDECIDED_BANK_CODES.has(bankResponseCode)) return undefined
  const ofBank = isByBank ? (BANK_REASONS[bankResponseCode ?? ''] ?? (cvnResult === 'N' ? 'incorrect_cvc' : undefined)) : undefined
  const reason = ofBank ?? known
  const providerCode = bankResponseCode === null ? responseCode : `${responseCode} ${bankResponseCode}`
  return { state: 'declined', reason, providerCode, userMessage: TEXTS[reason] }
}

/** Why a refund is not made, by BPOINT's response codes. */
const REFUND_TEXTS: Readonly<Record<string, string>> = {
  PT_R1: 'BPOINT does not find the payment.',
  PT_R2: 'BPOINT says that the payment was not approved.',
  PT_R3: 'The payment is locked at BPOINT. Please try again later.',
  PT_R4: 'BPOINT says that the whole payment was refunded already.',
  PT_R5: 'BPOINT has less of the payment left to refund.',
  PT_R8: 'BPOINT says that the payment was reversed already.',
  PT_R16: 'The bank has rejected the payment already.',
  PT_V19: 'The daily limit of refunds at BPOINT is reached.',
  PT_V20: 'The daily limit of refunds at BPOINT is reached.',
}

/** The decline of a refund; undefined for every code that does not rule out that it was made. */
export const toRefundDecline = (codes: TransactionCodes): Decline | undefined => {
  const { responseCode } = codes
  const text = REFUND_TEXTS[responseCode]
  if (text !== undefined)
    return { state: 'declined', reason: 'card_declined', providerCode: responseCode, providerText: text, userMessage: text }
  const declined = toTransactionDecline(codes)
  return declined === undefined ? undefined : { ...declined, userMessage: 'The bank did not accept the refund.' }
}
