import { cardMonth } from '../store/gateway-time.ts'
import { type Card, cardTypeOf, isTestCard } from './cards.ts'

/** What the bank says. */
export interface Outcome {
  readonly ResponseCode: string
  readonly ISO: string
}

export const APPROVED: Outcome = { ResponseCode: '027', ISO: '01' }
export const DECLINED: Outcome = { ResponseCode: '481', ISO: '05' }
const INVALID_CARD: Outcome = { ResponseCode: '477', ISO: '14' }
const EXPIRED: Outcome = { ResponseCode: '482', ISO: '54' }

/** Moneris' penny values: the response code by the cents of an amount below 10.00. The ISO code is the cents themselves. */
const CODES_BY_CENTS: Readonly<Record<string, string>> = {
  '01': '483',
  '02': '484',
  '03': '476',
  '04': '421',
  '05': '481',
  '06': '050',
  '07': '421',
  '08': '004',
  '09': '078',
  '12': '421',
  '13': '476',
  '14': '421',
  '15': '421',
  '19': '476',
  '20': '486',
  '22': '050',
  '23': '027',
  '24': '476',
  '41': '421',
  '43': '421',
  '46': '421',
  '57': '421',
  '51': '481',
  '54': '482',
  '68': '113',
}

const MAX_PENNY_AMOUNT = 999

/** Amounts in cents that Visa's issuer declines. */
const VISA_DECLINES: readonly { readonly from: number; readonly to: number; readonly outcome: Outcome }[] = [
  { from: 5100, to: 6000, outcome: { ResponseCode: '421', ISO: '41' } },
  { from: 12_000, to: 13_000, outcome: EXPIRED },
]

/**
 * The bank's answer to a payment of so many cents: a wrong or expired card declines, then the test amounts of Visa and Mastercard decide.
 */
export const paymentOutcome = (card: Card, amount: number, now: number): Outcome => {
  const cardType = cardTypeOf(card.pan)
  const verified = verificationOutcome(card, now)
  if (!isApproved(verified)) return verified
  if (amount <= MAX_PENNY_AMOUNT && (cardType === 'V' || cardType === 'M')) return pennyOutcome(amount) ?? verified
  return (cardType === 'V' && VISA_DECLINES.find(({ from, to }) => amount >= from && amount <= to)?.outcome) || verified
}

/** The bank's answer about a card without a payment: a wrong or expired card declines, any other is approved. */
export const verificationOutcome = ({ pan, expdate }: Card, now: number): Outcome => {
  if (!isTestCard(pan)) return INVALID_CARD
  if (expdate < cardMonth(now)) return EXPIRED
  return cardTypeOf(pan) === 'C1' ? { ...APPROVED, ResponseCode: '025' } : APPROVED
}

/** The answer that the cents of an amount choose; undefined for cents without one. */
const pennyOutcome = (amount: number): Outcome | undefined => {
  const cents = String(amount % 100).padStart(2, '0')
  const code = CODES_BY_CENTS[cents]
  return code === undefined ? undefined : { ResponseCode: code, ISO: code === APPROVED.ResponseCode ? APPROVED.ISO : cents }
}

/** Whether the response code is an approval, from 0 to 49. */
export const isApproved = ({ ResponseCode }: Outcome): boolean => Number(ResponseCode) < 50

/** A word with the padding of receipts. */
const toMessage = (word: string): string => `${word.padEnd(19)}*${' '.repeat(20)}=`

/** The receipt's text, APPROVED or DECLINED, with its padding. */
export const outcomeMessage = (outcome: Outcome): string => toMessage(isApproved(outcome) ? 'APPROVED' : 'DECLINED')
