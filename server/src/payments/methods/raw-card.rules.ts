import { hasCardNumber } from '../../kit/card-number.ts'
import { invalidInput } from '../../kit/api-error.ts'
import { SealedText } from '../../kit/sealed-text.ts'
import type { ChargeResult } from '../providers/provider.ts'
import type { RawCard } from '../providers/method.ts'

/** A card number as typed. The payment link sends YYYY-MM and `cardCode`, the bulk form MM / YY and `cvc`. */
export interface RawCardForm {
  readonly cardNumber?: string
  readonly expirationDate?: string
  readonly cardCode?: string
  readonly cvc?: string
}

export const RAW_CARD_FIELDS = ['cardNumber', 'expirationDate', 'cardCode', 'cvc'] as const

const stripSeparators = (typed: string): string => typed.replaceAll(/[ -]/g, '')

/**
 * Parses a card number from a form.
 * @throws ApiError 400 at the invalid field
 */
export const parseRawCard = (form: RawCardForm, now: Date): RawCard => {
  const number = stripSeparators(form.cardNumber ?? '')
  if (!/^[1-9]\d{11,18}$/.test(number) || !hasCardNumber(number))
    throw invalidInput('body.cardNumber', 'This is not the number of a card. Please check it.')
  const { month, year } = parseExpiry(form.expirationDate) ?? { month: 0, year: 0 }
  if (month === 0 || year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1 || year > MAX_YEAR)
    throw invalidInput('body.expirationDate', 'Please provide valid date.')
  const field = form.cardCode === undefined || form.cardCode === '' ? 'cvc' : 'cardCode'
  const code = form[field] ?? ''
  const length = number.length === 15 ? 4 : 3
  if (!/^\d+$/.test(code) || code.length !== length)
    throw invalidInput(`body.${field}`, `The security code of this card has ${length === 4 ? 'four' : 'three'} digits.`)
  return { number: new SealedText(number), expMonth: month, expYear: year, securityCode: new SealedText(code) }
}

const MAX_YEAR = 2_070

const parseExpiry = (typed = ''): { month: number; year: number } | null => {
  const [, fullYear, monthAfter] = /^(\d{4})-(\d{2})$/.exec(typed) ?? []
  const [, monthBefore, shortYear] = /^(\d{2}) ?\/ ?(\d{2})$/.exec(typed) ?? []
  const month = Number(monthAfter ?? monthBefore ?? 0)
  const year = Number(fullYear ?? (shortYear === undefined ? 0 : `20${shortYear}`))
  return month < 1 || month > 12 ? null : { month, year }
}

/** Distinguishes this card from another one of the same payer without being secret: the last four digits and the expiry. */
export const rawCardFingerprint = ({ cardNumber = '', expirationDate }: RawCardForm): string => {
  const { month, year } = parseExpiry(expirationDate) ?? { month: 0, year: 0 }
  return `${stripSeparators(cardNumber).slice(-4)} ${year}-${month}`
}

/** Removes the card number and the security code from a text that is stored or shown. */
export const redactRawCard = (text: string, { number, securityCode: code }: RawCard): string =>
  text
    .replaceAll(new RegExp([...number.open()].join('[ .-]?'), 'g'), '[number]')
    .replaceAll(new RegExp(`(?<!\\d)${code.open()}(?!\\d)`, 'g'), '[code]')

/** The same for a provider's result. */
export const redactResult = (result: ChargeResult, raw: RawCard): ChargeResult => {
  if (result.state === 'declined')
    return { ...result, userMessage: redactRawCard(result.userMessage, raw), providerCode: redactRawCard(result.providerCode, raw) }
  return 'detail' in result ? { ...result, detail: redactRawCard(result.detail, raw) } : result
}
