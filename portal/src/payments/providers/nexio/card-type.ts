const CARD_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|64[4-9]|65)/, 'discover'],
  [/^35/, 'jcb'],
]

/** The brand of a card by its first digits, as Nexio names it; empty for others. */
export const cardTypeOf = (firstSix: string): string => CARD_TYPES.find(([digits]) => digits.test(firstSix))?.[1] ?? ''
