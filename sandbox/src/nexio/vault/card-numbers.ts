import { validationError } from '../api/nexio-error.ts'

const CARD_TYPES: readonly (readonly [type: string, number: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2[2-7])/],
  ['amex', /^3[47]/],
  ['discover', /^6(011|4[4-9]|5)/],
  ['jcb', /^35/],
]

/** The number's card type, or `unknown`. */
export const cardTypeOf = (number: string): string => CARD_TYPES.find(([, pattern]) => pattern.test(number))?.[0] ?? 'unknown'

/** Checks a card number. @throws NexioError when the number has not 13 to 19 digits or its check digit is wrong */
export const requireCardNumber = (number: string): void => {
  if (!/^\d{13,19}$/.test(number) || checksumOf(number) % 10 !== 0) throw validationError('The card number is not valid')
}

/** The sum of ISO/IEC 7812-1: every second digit from the right counts twice. */
const checksumOf = (number: string): number =>
  [...number].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
