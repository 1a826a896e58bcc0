/** A card as Moneris stores it. */
export interface Card {
  readonly pan: string
  /** YYMM */
  readonly expdate: string
}

/** Moneris' test cards, and the usual test numbers of other brands. Any other number might be a real card. */
const TEST_NUMBERS: ReadonlySet<string> = new Set([
  '5454545454545454',
  '4242424242424242',
  '4005554444444403',
  '373599005095005',
  '36462462742008',
  '4761739012345637',
  '4740611374762707',
  '4606633870436092',
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
  '6250941006528599',
])

/** Whether a number is one of the test cards, the only ones that are stored or charged. */
export const isTestCard = (pan: string): boolean => TEST_NUMBERS.has(pan)

const CARD_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'V'],
  [/^(5[1-5]|2[2-7])/, 'M'],
  [/^3[47]/, 'AX'],
  [/^3[068]/, 'DC'],
  [/^35/, 'C1'],
  [/^62/, 'UP'],
  [/^6/, 'NO'],
]

/** The brand as receipts write it; null when it is unknown. */
export const cardTypeOf = (pan: string): string | null => CARD_TYPES.find(([pattern]) => pattern.test(pan))?.[1] ?? null

/** The first and the last four digits of a card number: `4242***4242`. */
export const maskPan = (pan: string): string => `${pan.slice(0, 4)}***${pan.slice(-4)}`

/** Whether a card number's last digit is the check digit of the others. */
export const isLuhn = (pan: string): boolean => {
  const sum = [...pan].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
