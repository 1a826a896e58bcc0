import { isExpired } from '../payment-methods/cards.ts'
import type { Instrument } from '../payment-methods/instrument.ts'
import { randomText } from '../store/digest.ts'
import type { Decision, ResponseCode } from './transaction.ts'

/** What is to be charged or checked. */
export interface ChargeAttempt {
  readonly instrument: Instrument
  /** In cents; 0 for a validation. */
  readonly amount: number
  readonly zip: string | undefined
  readonly now: number
  readonly isTestMode: boolean
}

const APPROVED = 'This transaction has been approved.'
const DECLINED = 'This transaction has been declined.'
const HELD = 'Thank you! For security reasons your order is currently being reviewed.'

/** 46225 to 46228 would be partial approvals, which this sandbox does not offer. */
const DECLINING_ZIPS = new Set(['46282', '46225', '46226', '46227', '46228'])

/** The sandbox's own trigger: the merchant has to review the transaction. */
const HELD_ZIP = '46298'

const AVS_TRIGGERS: Readonly<Record<string, string>> = {
  '46201': 'A',
  '46203': 'E',
  '46204': 'G',
  '46205': 'N',
  '46207': 'R',
  '46208': 'S',
  '46209': 'U',
  '46211': 'W',
  '46214': 'X',
  '46217': 'Z',
}

/** The largest direct debit of a test account, in cents. */
const MAX_ECHECK = 100_00

/** The decision with response code 3: the gateway finds the error itself and does not ask the issuer. Nothing is thrown. */
export const gatewayError = (reasonCode: string, reason: string): Decision => ({
  responseCode: '3',
  reasonCode,
  reason,
  avs: 'P',
  cvv: '',
  authCode: '',
})

/**
 * The decision about a charge or a validation: an error for wrong numbers, else the issuer's decision by test triggers. Nothing is thrown.
 */
export const decide = (attempt: ChargeAttempt): Decision => numberProblem(attempt) ?? issuerDecision(attempt)

/** The error decision for a wrong number or a past expiration date; undefined when all is right. */
export const numberProblem = ({ instrument, now }: Pick<ChargeAttempt, 'instrument' | 'now'>): Decision | undefined => {
  if (instrument.kind === 'bank') {
    if (!instrument.hasValidRouting) return gatewayError('9', 'The ABA code is invalid.')
    return instrument.hasValidNumber ? undefined : gatewayError('10', 'The account number is invalid.')
  }
  if (instrument.cardType === undefined) return gatewayError('6', 'The credit card number is invalid.')
  if (instrument.expiration === undefined) return gatewayError('7', 'Credit card expiration date is invalid.')
  return isExpired(instrument.expiration, now) ? gatewayError('8', 'The credit card has expired.') : undefined
}

/** The issuer's decision: the billing ZIP's test trigger, MAX_ECHECK for a bank account, else approved. Test mode has its own rule. */
const issuerDecision = ({ instrument, amount, zip, isTestMode }: ChargeAttempt): Decision => {
  const isBank = instrument.kind === 'bank'
  const base = {
    avs: isBank ? 'P' : zip === undefined ? 'B' : (AVS_TRIGGERS[zip] ?? 'Y'),
    cvv: isBank ? '' : instrument.cvv,
    authCode: isBank ? '' : randomText(6),
  }
  if (isTestMode) return { ...base, ...testModeDecision(instrument, amount), avs: 'P', authCode: '000000' }
  if (DECLINING_ZIPS.has(zip ?? '') || (isBank && amount > MAX_ECHECK)) return { ...base, ...declinedDecision(), authCode: '' }
  if (zip === HELD_ZIP && amount > 0) return { ...base, responseCode: '4', reasonCode: '253', reason: HELD }
  return { ...base, responseCode: '1', reasonCode: '1', reason: APPROVED }
}

/** The decision with response code 2: declined by the bank. Nothing is thrown. */
export const declinedDecision = (reasonCode = '2'): Decision => ({
  responseCode: '2',
  reasonCode,
  reason: DECLINED,
  avs: 'P',
  cvv: '',
  authCode: '',
})

const DECLINE_CODES = new Set([2, 3, 4, 27, 44, 45, 65, 127, 200, 201])

/** An approval; for the test card that picks its reason code, the amount's whole dollars are that code. */
const testModeDecision = (instrument: Instrument, amount: number): Pick<Decision, 'responseCode' | 'reasonCode' | 'reason'> => {
  const code = Math.floor(amount / 100)
  if (instrument.kind !== 'card' || !instrument.picksReasonCode || code <= 1)
    return { responseCode: '1', reasonCode: '1', reason: `(TESTMODE) ${APPROVED}` }
  const responseCode: ResponseCode = DECLINE_CODES.has(code) ? '2' : '3'
  return { responseCode, reasonCode: String(code), reason: responseCode === '2' ? DECLINED : `Reason code ${code}.` }
}
