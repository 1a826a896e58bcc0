import { isLuhn, isTestCard } from '../payments/cards.ts'
import { securityCodeResult } from '../payments/address-checks.ts'
import { cardMonth } from '../store/gateway-time.ts'
import type { MonerisSession } from '../store/moneris-session.ts'
import { createToken } from '../vault/temporary-tokens.ts'

/** What was typed into the hosted fields; a field that the page does not have is absent. */
export interface TypedCard {
  /** The id of the merchant's hosted tokenization profile. */
  readonly id: string
  readonly pan: string
  /** MMYY */
  readonly exp?: string
  readonly cvd?: string
}

/** What the frame tells the page around it. */
export interface TokenMessage {
  /** A list when the page has more fields than the number. */
  readonly responseCode: string | readonly string[]
  readonly errorMessage: string | null
  readonly dataKey: string | null
  readonly bin: string | null
}

const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  '940': 'Invalid profile id',
  '941': 'Error generating token',
  '943': 'Invalid card number',
  '944': 'Invalid expiry date',
  '945': 'Invalid CVD value',
}

/** The frame's message that no token was made, with these response codes. */
export const errorMessage = (typed: TypedCard, codes: readonly string[]): TokenMessage => ({
  responseCode: codeOf(typed, codes),
  errorMessage: codes.map((code) => ERROR_MESSAGES[code] ?? code).join(', '),
  dataKey: null,
  bin: null,
})

/** Checks what was typed and stores a temporary token, or says what is wrong. Only test cards are accepted. */
export const tokenizeCard = (session: MonerisSession, typed: TypedCard): TokenMessage => {
  const [pan, exp] = [typed.pan.replaceAll(/[\s-]/g, ''), typed.exp?.replaceAll(/[\s/]/g, '')]
  if (typed.id === '' || typed.id.includes('wrong')) return errorMessage(typed, ['940'])
  const expdate = exp === undefined ? undefined : `${exp.slice(2)}${exp.slice(0, 2)}`
  const wrong = [
    ...(isLuhn(pan) && isTestCard(pan) ? [] : ['943']),
    ...(expdate === undefined || isFutureMonth(expdate, session.now) ? [] : ['944']),
    ...(typed.cvd === undefined || /^\d{3,4}$/.test(typed.cvd) ? [] : ['945']),
  ]
  if (wrong.length > 0) return errorMessage(typed, wrong)
  const cvd = typed.cvd === undefined ? null : securityCodeResult(typed.cvd)
  const dataKey = createToken(session, { pan, expdate: expdate ?? null, cvd })
  return { responseCode: codeOf(typed, ['001']), errorMessage: null, dataKey, bin: pan.slice(0, 6) }
}

/** Whether an expiry date (YYMM) is a month that has not ended. */
const isFutureMonth = (expdate: string, now: number): boolean => /^\d{2}(0[1-9]|1[0-2])$/.test(expdate) && expdate >= cardMonth(now)

/** The response codes as a list, or the first one alone when the page has the number's field only. */
const codeOf = ({ exp, cvd }: TypedCard, codes: readonly string[]): string | readonly string[] =>
  exp === undefined && cvd === undefined ? (codes[0] ?? '') : codes
