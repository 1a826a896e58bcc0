import type { Day } from '@counterfoil/contract/kit/day'
import { expiryProblem } from '../card-expiry.ts'

/** A card as typed, as the fields show it: "4242 4242 4242 4242", "12 / 31", "123". */
export interface TypedCard {
  readonly number: string
  readonly expiry: string
  readonly code: string
}

export const EMPTY_CARD: TypedCard = { number: '', expiry: '', code: '' }

const NUMBER_LENGTH = { min: 16, max: 19 } as const
const EXPIRY_LENGTH = 7
const AMEX_DIGITS = 15

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** Groups the digits of a card number as they stand on the card: 4-6-5 where there are fifteen of American Express, else by four. */
export const formatNumber = (typed: string): string => {
  const digits = digitsOf(typed).slice(0, 19)
  const groups = /^3[47]/.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/.exec(digits)?.slice(1) : digits.match(/\d{1,4}/g)
  return (groups ?? []).filter((group) => group !== undefined).join(' ')
}

/** "1231" becomes "12 / 31"; a month of one digit that can have no second gets its zero. */
export const formatExpiry = (typed: string): string => {
  const digits = digitsOf(/^[2-9]/.test(typed) ? `0${typed}` : typed)
  // Autofill gives the year in full.
  const [month, year] = [digits.slice(0, 2), digits.length === 6 ? digits.slice(4) : digits.slice(2, 4)]
  return year === '' ? month : `${month} / ${year}`
}

/** The length of the card's security code. */
export const codeLength = ({ number }: Pick<TypedCard, 'number'>): 3 | 4 => (digitsOf(number).length === AMEX_DIGITS ? 4 : 3)

/** The error of a complete expiry date; undefined while it is being typed. */
export const typedExpiryProblem = (expiry: string, today: Day): string | undefined => {
  if (expiry.length < EXPIRY_LENGTH) return undefined
  const { month, year } = toMonthAndYear(expiry)
  return expiryProblem(month, year, today)
}

/** Whether a card can be submitted (PM-08). @param needsCode false where a card is stored without its code */
export const isCardComplete = ({ number, expiry, code }: TypedCard, today: Day, needsCode = true): boolean =>
  number.length >= NUMBER_LENGTH.min &&
  number.length <= NUMBER_LENGTH.max &&
  expiry.length >= EXPIRY_LENGTH &&
  typedExpiryProblem(expiry, today) === undefined &&
  (!needsCode || digitsOf(code).length === codeLength({ number }))

const toMonthAndYear = (expiry: string): { month: string; year: string } => {
  const digits = digitsOf(expiry)
  return { month: digits.slice(0, 2), year: `20${digits.slice(2, 4)}` }
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
