const SCHEMES: readonly (readonly [scheme: string, number: RegExp])[] = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|2[2-7])/],
  ['Amex', /^3[47]/],
  ['Diners', /^3[068]/],
  ['JCB', /^35/],
  ['UnionPay', /^62/],
]

/** The number's scheme as BPOINT writes it, by the first digits; `Unknown` for any other number. */
export const schemeOf = (number: string): string => SCHEMES.find(([, pattern]) => pattern.test(number))?.[0] ?? 'Unknown'

/** Test numbers of the documents whose check digit is not right. */
const TEST_NUMBERS: ReadonlySet<string> = new Set(['30123456789019', '345678901234564'])

/** Whether a card number has 13 to 19 digits and a right check digit, or is one of TEST_NUMBERS. */
export const isCardNumber = (number: string): boolean =>
  TEST_NUMBERS.has(number) || (/^\d{13,19}$/.test(number) && checksumOf(number) % 10 === 0)

/** The sum of ISO/IEC 7812-1: every second digit from the right counts twice. */
const checksumOf = (number: string): number =>
  [...number].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)

/** The first six and the last three digits of a card number: `512345...346`. */
export const maskNumber = (number: string): string => `${number.slice(0, 6)}...${number.slice(-3)}`
