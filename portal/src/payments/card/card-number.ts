import type { Day } from '@counterfoil/contract/kit/day'
import { expiryProblem } from './card-expiry.ts'

/** A card as typed, as the fields show it: "4242 4242 4242 4242", "12 / 31", "123". */
export interface TypedCard {
  readonly number: string
  readonly expiry: string
  readonly code: string
}

export const EMPTY_CARD: TypedCard = { number: '', expiry: '', code: '' }

const NUMBER_LENGTH = { min: 16, max: 19 } as const
/** Of MM / YY. */
const EXPIRY_LENGTH = 7
const AMEX_DIGITS = 15

/** The digits of a text, without all else. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** Groups the digits of a card number as they stand on the card: 4-6-5 where there are fifteen of American Express, else by four. */
export const formatNumber = (typed: string): string => {
  const digits = digitsOf(typed).slice(0, 19)
  const groups = /^3[47]/.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/.exec(digits)?.slice(1) : digits.match(/\d{1,4}/g)
  return (groups ?? []).filter((group) => group !== undefined).join(' ')
}

/**
 * The expiry "12 / 31" of "1231", "12/31", "12/2031" and "2031-12": the month ends at whatever is no digit, and 2031 is 31. What is not
 * complete becomes the beginning of it.
 */
export const formatExpiry = (typed: string): string => {
  const [first = '', ...rest] = typed.match(/\d+/g) ?? []
  const year = rest.join('')
  if (/^\s*\//.test(typed)) return typed
  if (/^20\d\d/.test(first)) return joinExpiry(first.slice(4) + year, first.slice(0, 4))
  if (year !== '' || (first.length <= 2 && /\d\D/.test(typed))) return joinExpiry(first.padStart(2, '0').slice(0, 2), year)
  // A month of one digit that can have no second.
  const digits = /^[2-9]/.test(first) ? `0${first}` : first
  return joinExpiry(digits.slice(0, 2), digits.slice(2))
}

/** The expiry "12 / 31" of a month and a year with two or four digits; the month alone while there is no year. */
const joinExpiry = (month: string, typedYear: string): string => {
  if (month === '') return typedYear
  const year = typedYear.replace(/^20(?=\d\d)/, '')
  const shown = year.slice(0, year.startsWith('20') ? 3 : 2)
  return shown === '' ? month : `${month.padStart(2, '0').slice(0, 2)} / ${shown}`
}

/** The expiry while it is typed. What may still become another date is formatted when the field is left. */
export const typedExpiry = (before: string, typed: string): string => {
  const isInFront = before !== '' && typed.endsWith(before)
  if (isCut(before, typed)) return typed.trimEnd()
  return isInFront || isBeginning(typed) || isMonthOvertyped(before, typed) ? typed : formatExpiry(typed)
}

/** Whether more digits must follow before it can be told which date is meant. */
const isBeginning = (typed: string): boolean => /^[0-2]$|^20\d{0,2}\D*\d?$/.test(typed)

/** Whether the first digit of another month stands in front of the year that was there. */
const isMonthOvertyped = (before: string, typed: string): boolean => {
  const year = /\D+\d*$/.exec(before)?.[0]
  return year !== undefined && typed.endsWith(year) && /^[01]$/.test(typed.slice(0, -year.length))
}

/** The number while it is typed. What is changed in its middle is formatted when the field is left, so that the cursor stays where it is. */
export const typedNumber = (before: string, typed: string): string => {
  const isMiddle = isCut(typed, before) && !typed.startsWith(before)
  if (isCut(before, typed)) return typed.trimEnd()
  return isMiddle ? typed : formatNumber(typed)
}

/** Whether the typed text is the text before without one piece of it, and nothing else has changed. */
const isCut = (before: string, typed: string): boolean => {
  if (typed.length >= before.length) return false
  const changed = [...typed].findIndex((character, index) => character !== before[index])
  return changed === -1 || before.endsWith(typed.slice(changed))
}

/** The number of digits of the card's security code: more for an American Express card, which is told by its length. */
export const codeLength = ({ number }: Pick<TypedCard, 'number'>): 3 | 4 => (digitsOf(number).length === AMEX_DIGITS ? 4 : 3)

/** Whether month and year are both there, valid or not. */
const isWholeExpiry = (expiry: string): boolean => !isBeginning(expiry) && formatExpiry(expiry).length === EXPIRY_LENGTH

/** The error of a complete expiry date; undefined while it is being typed. */
export const typedExpiryProblem = (expiry: string, today: Day): string | undefined => {
  const { month, year } = toMonthAndYear(expiry)
  return isWholeExpiry(expiry) ? expiryProblem(month, year, today) : undefined
}

/** Whether a card can be submitted (PM-08). @param needsCode false where a card is stored without its code */
export const isCardComplete = ({ number, expiry, code }: TypedCard, today: Day, needsCode = true): boolean =>
  formatNumber(number).length >= NUMBER_LENGTH.min &&
  formatNumber(number).length <= NUMBER_LENGTH.max &&
  isWholeExpiry(expiry) &&
  typedExpiryProblem(expiry, today) === undefined &&
  (!needsCode || digitsOf(code).length === codeLength({ number }))

/** The month "04" and the year "2031" of a typed expiry. */
const toMonthAndYear = (expiry: string): { month: string; year: string } => {
  const [month = '', year = ''] = formatExpiry(expiry).split(' / ')
  return { month, year: `20${year}` }
}

/** The parts of a card as the API's bodies want them: digits alone, the month "04", the year "2031". */
export const cardParts = ({ number, expiry, code }: TypedCard) => ({
  number: digitsOf(number),
  ...toMonthAndYear(expiry),
  code: digitsOf(code),
})

/** The fields of a pay request: the number without blanks, the expiry as YYYY-MM (SP-03). */
export const toCardPayment = (card: TypedCard): { cardNumber: string; expirationDate: string; cardCode: string } => {
  const { number, month, year, code } = cardParts(card)
  return { cardNumber: number, expirationDate: `${year}-${month}`, cardCode: code }
}
