/** The cards of Pinch's test mode, with the country of their bank. Every expiry in the future and every security code is accepted. */
const TEST_CARDS: Readonly<Record<string, string>> = {
  '4242424242424242': 'AU',
  '4000000360000006': 'AU',
  '4012888888881881': 'AU',
  '378282246310005': 'AU',
  '4111111111111111': 'NZ',
  '5105105105105100': 'NZ',
  '4000005540000008': 'NZ',
  '371449635398431': 'NZ',
  '4000056655665556': 'US',
  '5200828282828210': 'US',
  '5555555555554444': 'US',
}

/** The country of a test card's bank; undefined for every other number. */
export const countryOfCard = (number: string): string | undefined => TEST_CARDS[number]

/** The scheme of a test card by its first digit: `visa`, `mastercard`, else `amex`. */
export const schemeOfCard = (number: string): string => {
  if (number.startsWith('4')) return 'visa'
  return number.startsWith('5') ? 'mastercard' : 'amex'
}
