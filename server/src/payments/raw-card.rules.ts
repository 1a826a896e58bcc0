import { holdsCardNumber } from '../kit/card-number.ts'
import { invalid } from '../kit/refusal.ts'
import { SealedText } from '../kit/sealed-text.ts'
import type { RawCard } from './providers/provider.ts'

/** What a form says of a card as it was typed (payments.md §7: the link sends YYYY-MM and a cardCode, several invoices MM / YY and a cvc). */
export interface RawCardForm {
  readonly cardNumber?: string
  readonly expirationDate?: string
  readonly cardCode?: string
  readonly cvc?: string
}

export const RAW_CARD_FIELDS = ['cardNumber', 'expirationDate', 'cardCode', 'cvc'] as const

const digitsOf = (typed: string): string => typed.replaceAll(/[ -]/g, '')

/**
 * The card of a form whose company takes it as it was typed.
 * @throws Refusal 400 at the field that cannot be right
 */
export const rawCardOf = (form: RawCardForm, now: Date): RawCard => {
  const number = digitsOf(form.cardNumber ?? '')
  if (!/^\d{12,19}$/.test(number) || !holdsCardNumber(number))
    throw invalid('body.cardNumber', 'This is not the number of a card. Please check it.')
  const { month, year } = expiryOf(form.expirationDate ?? '')
  if (year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1 || year > LAST_YEAR)
    throw invalid('body.expirationDate', 'Please provide valid date.')
  const field = form.cardCode === undefined || form.cardCode === '' ? 'cvc' : 'cardCode'
  const code = form[field] ?? ''
  const length = number.length === 15 ? 4 : 3
  if (!/^\d+$/.test(code) || code.length !== length)
    throw invalid(`body.${field}`, `The security code of this card has ${length === 4 ? 'four' : 'three'} digits.`)
  return { number: new SealedText(number), expMonth: month, expYear: year, code: new SealedText(code) }
}

const LAST_YEAR = 2_070

const expiryOf = (typed: string): { month: number; year: number } => {
  const [, fullYear, monthAfter] = /^(\d{4})-(\d{2})$/.exec(typed) ?? []
  const [, monthBefore, shortYear] = /^(\d{2}) ?\/ ?(\d{2})$/.exec(typed) ?? []
  const month = Number(monthAfter ?? monthBefore ?? 0)
  const year = Number(fullYear ?? (shortYear === undefined ? 0 : `20${shortYear}`))
  if (month < 1 || month > 12) throw invalid('body.expirationDate', 'Please provide valid date.')
  return { month, year }
}

/** What tells this card from another one of the same payer, and is no secret: the last four digits and when it ends. */
export const nameOfRawCard = ({ cardNumber = '', expirationDate = '' }: RawCardForm): string =>
  `${digitsOf(cardNumber).slice(-4)} ${expirationDate}`
