import { withoutSeparators } from '@counterfoil/contract/kit/payments/printed-number'
import { hasCardNumber } from '../../kit/card-number.ts'
import { invalidInput } from '../../kit/api-error.ts'
import { SealedText } from '../../kit/sealed-text.ts'
import type { ChargeResult } from './charge-result.ts'
import type { RawCard, SealedNumber } from './method.ts'

/** A card number as typed. The payment link sends YYYY-MM and `cardCode`, the bulk form MM / YY and `cvc`. */
export interface RawCardForm {
  readonly cardNumber?: string
  readonly expirationDate?: string
  readonly cardCode?: string
  readonly cvc?: string
}

export const RAW_CARD_FIELDS = ['cardNumber', 'expirationDate', 'cardCode', 'cvc'] as const

/**
 * Parses a card whose number the browser has encrypted for the provider; of the number only the form of Base64 is checked. Expiry and
 * security code come in the clear.
 * @throws ApiError 400 at the invalid field
 */
export const parseSealedCard = (form: RawCardForm, now: Date): SealedNumber => {
  const encryptedNumber = form.cardNumber ?? ''
  if (!/^[A-Za-z0-9+/]{100,}={0,2}$/.test(encryptedNumber))
    throw invalidInput('body.cardNumber', 'The number of the card was not encrypted. Please reload the page.')
  const { expMonth, expYear } = parseExpiryOf(form, now)
  const code = form.cardCode ?? form.cvc ?? ''
  if (!/^\d{3,4}$/.test(code)) throw invalidInput('body.cardCode', 'The security code of a card has three or four digits.')
  return { encryptedNumber, expMonth, expYear, securityCode: new SealedText(code) }
}

/**
 * Parses a card typed in the clear, and seals its number and security code. Blanks and hyphens in the number are dropped.
 * @param needsCode  whether the security code must be there; where a card is stored it need not
 * @throws ApiError 400 at the invalid field
 */
export const parseRawCard = (form: RawCardForm, now: Date, needsCode = true): RawCard => {
  const number = withoutSeparators(form.cardNumber ?? '')
  if (!/^[1-9]\d{11,18}$/.test(number) || !hasCardNumber(number))
    throw invalidInput('body.cardNumber', 'This is not the number of a card. Please check it.')
  const expiry = parseExpiryOf(form, now)
  const field = form.cardCode === undefined || form.cardCode === '' ? 'cvc' : 'cardCode'
  const code = form[field] ?? ''
  if (code === '' && !needsCode) return { number: new SealedText(number), ...expiry, securityCode: null }
  const length = number.length === 15 ? 4 : 3
  if (!/^\d+$/.test(code) || code.length !== length)
    throw invalidInput(`body.${field}`, `The security code of this card has ${length === 4 ? 'four' : 'three'} digits.`)
  return { number: new SealedText(number), ...expiry, securityCode: new SealedText(code) }
}

/**
 * The expiry of a card, from YYYY-MM or MM / YY.
 * @throws ApiError 400 where the text has another form, or the month is past or beyond `MAX_YEAR`
 */
export const parseExpiryOf = ({ expirationDate }: RawCardForm, now: Date): Pick<RawCard, 'expMonth' | 'expYear'> => {
  const { month, year } = parseExpiry(expirationDate) ?? { month: 0, year: 0 }
  if (month === 0 || year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1 || year > MAX_YEAR)
    throw invalidInput('body.expirationDate', 'Please provide valid date.')
  return { expMonth: month, expYear: year }
}

const MAX_YEAR = 2_070

/** The month and the year of YYYY-MM or MM / YY; null for any other text. A past month is accepted. */
const parseExpiry = (typed = ''): { month: number; year: number } | null => {
  const [, fullYear, monthAfter] = /^(\d{4})-(\d{2})$/.exec(typed) ?? []
  const [, monthBefore, shortYear] = /^(\d{2}) ?\/ ?(\d{2})$/.exec(typed) ?? []
  const month = Number(monthAfter ?? monthBefore ?? 0)
  const year = Number(fullYear ?? (shortYear === undefined ? 0 : `20${shortYear}`))
  return month < 1 || month > 12 ? null : { month, year }
}

/**
 * A text that tells a card from another one of the same payer and is not secret: last four digits and expiry, as `1111 2030-4`. An
 * encrypted number gives `encrypted` for the digits.
 */
export const rawCardFingerprint = ({ cardNumber = '', expirationDate }: RawCardForm): string => {
  const { month, year } = parseExpiry(expirationDate) ?? { month: 0, year: 0 }
  // An encrypted number is another text each time, so it distinguishes nothing.
  const number = withoutSeparators(cardNumber)
  return `${/^\d+$/.test(number) ? number.slice(-4) : 'encrypted'} ${year}-${month}`
}

/** Replaces a card's number by `[number]`, also where separators stand between its digits, and its security code by `[code]`. */
export const redactRawCard = (text: string, { number, securityCode: code }: RawCard): string => {
  const withoutNumber = text.replaceAll(new RegExp([...number.open()].join('[ .-]?'), 'g'), '[number]')
  return code === null ? withoutNumber : withoutNumber.replaceAll(new RegExp(`(?<!\\d)${code.open()}(?!\\d)`, 'g'), '[code]')
}

/** A provider's result whose texts no longer contain the card number and the security code. Its state and amounts stay. */
export const redactResult = <Result extends ChargeResult>(result: Result, raw: RawCard): Result => {
  if (result.state === 'declined') {
    const [userMessage, providerCode] = [redactRawCard(result.userMessage, raw), redactRawCard(result.providerCode, raw)]
    const said = result.providerText === undefined ? {} : { providerText: redactRawCard(result.providerText, raw) }
    return { ...result, userMessage, providerCode, ...said }
  }
  return 'detail' in result ? { ...result, detail: redactRawCard(result.detail, raw) } : result
}
