import type { PaymentMethod } from '../payment-methods/attached-method.ts'

/** What came of a transaction. */
export interface Answer {
  readonly responseCode: string
  readonly bankResponseCode: string | null
  readonly responseText: string
}

const TEXTS: Readonly<Record<string, string>> = {
  '00': 'Approved',
  '01': 'Refer to card issuer',
  '05': 'Do not honour',
  '08': 'Honour with ID',
  '14': 'Invalid card number',
  '16': 'Approved, Update Track 3',
  '33': 'Expired card',
  '41': 'Lost card',
  '43': 'Stolen card, pick up',
  '51': 'Not sufficient funds',
  '54': 'Expired card',
  '61': 'Exceeds withdrawal amount limits',
  '91': 'Issuer or switch inoperative',
}
const APPROVED: ReadonlySet<string> = new Set(['00', '08', '16'])
/** The bank could not be asked. */
const UNREACHABLE: ReadonlySet<string> = new Set(['68', '91', '96'])
const RESPONSE_CODES: Readonly<Record<string, string>> = { '05': '1', '51': '5', '33': '4', '54': '4' }

/** The answer with a bank's response code; an unknown code is a decline. */
export const bankAnswer = (code: string): Answer => ({
  responseCode: APPROVED.has(code) ? '0' : UNREACHABLE.has(code) ? '6' : (RESPONSE_CODES[code] ?? '2'),
  bankResponseCode: code,
  responseText: TEXTS[code] ?? 'Declined',
})

const PENDING: Answer = { responseCode: 'P', bankResponseCode: null, responseText: 'Transaction is Pending' }
export const NOT_AUTHENTICATED: Answer = { responseCode: 'F', bankResponseCode: null, responseText: '3D Secure Authentication Failed' }

/** The amount in test mode to which BPOINT answers after 50 seconds. */
const DELAYED_AMOUNT = 11_199
const DELAY_MS = 50_000
/** The cents in test mode for which 3-D Secure fails. */
const NOT_AUTHENTICATED_CENTS = '77'

/** The time that the response waits: DELAY_MS for DELAYED_AMOUNT in test mode, else 0. */
export const answerDelayMs = ({ amount, testMode }: { amount: number; testMode: boolean }): number =>
  testMode && amount === DELAYED_AMOUNT ? DELAY_MS : 0

/**
 * What the bank says of a payment: a bank account is pending; a card goes by its security code, its expiry and, in test mode, the amount's
 * cents.
 */
export const decide = (
  method: PaymentMethod,
  { amount, testMode }: { readonly amount: number; readonly testMode: boolean },
  today: string,
): Answer => {
  if (method.kind === 'bank') return PENDING
  const { month, year } = method.expiry
  if (month === '99') return bankAnswer(year)
  if (method.cvnResult === 'N') return bankAnswer('05')
  if (`20${year}-${month}` < today.slice(0, 7)) return bankAnswer('54')
  if (!testMode || amount === DELAYED_AMOUNT) return bankAnswer('00')
  const cents = String(amount).padStart(2, '0').slice(-2)
  return cents === NOT_AUTHENTICATED_CENTS ? NOT_AUTHENTICATED : bankAnswer(cents)
}
