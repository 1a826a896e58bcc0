/** M match, N no match, P not processed, S should be present, U the issuer cannot check. */
export type CvvResult = 'M' | 'N' | 'P' | 'S' | 'U' | ''

const BRANDS: readonly (readonly [brand: string, numbers: RegExp])[] = [
  ['Visa', /^4\d{12}(\d{3})?$/],
  ['MasterCard', /^(5[1-5]\d{4}|222[1-9]\d\d|22[3-9]\d{3}|2[3-6]\d{4}|27[01]\d{3}|2720\d\d)\d{10}$/],
  ['AmericanExpress', /^3[47]\d{13}$/],
  ['Discover', /^6(011|5\d\d)\d{12}$/],
  ['JCB', /^(3088|35\d\d)\d{12}$/],
  ['DinersClub', /^3(0[0-5]|[68]\d)\d{11}$/],
]

/** The brand, such as `Visa`, of a card number with a right check digit and length; undefined for any other number. */
export const cardTypeOf = (number: string): string | undefined =>
  hasLuhnDigit(number) ? BRANDS.find(([, numbers]) => numbers.test(number))?.[0] : undefined

/** Whether a number's last digit is the check digit of the others. */
const hasLuhnDigit = (number: string): boolean => {
  const sum = [...number].toReversed().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** The accepted ways to write an expiration date; the groups are year and month, or month and year. */
const YEAR_FIRST = /^(\d{4})-?(\d\d)$/
const MONTH_FIRST = /^(\d\d)[/-]?(\d{2}|\d{4})$/

/** An expiration date, typed as `MMYY`, `MM/YYYY` or `YYYY-MM`, as `YYYY-MM`; undefined when it is not one. */
export const parseExpiration = (typed: string): string | undefined => {
  const [, month, year] = MONTH_FIRST.exec(typed) ?? []
  if (month !== undefined && year !== undefined && isMonth(month)) return `${year.length === 2 ? `20${year}` : year}-${month}`
  const [, fullYear, lastMonth] = YEAR_FIRST.exec(typed) ?? []
  return fullYear !== undefined && lastMonth !== undefined && isMonth(lastMonth) ? `${fullYear}-${lastMonth}` : undefined
}

const isMonth = (month: string): boolean => Number(month) >= 1 && Number(month) <= 12

/** Whether a card was valid until the end of a month (`YYYY-MM`) that has passed. */
export const isExpired = (expiration: string, now: number): boolean => expiration < new Date(now).toISOString().slice(0, 7)

const CVV_TRIGGERS: Readonly<Record<string, CvvResult>> = { '900': 'M', '901': 'N', '902': 'P', '903': 'S', '904': 'U' }

/** What the issuer says of a card code: P, unless it is one of the test codes; empty without a code. */
export const cvvResultOf = (cardCode: string | undefined): CvvResult => (cardCode === undefined ? '' : (CVV_TRIGGERS[cardCode] ?? 'P'))
