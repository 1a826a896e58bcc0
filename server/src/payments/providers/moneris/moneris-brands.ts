import type { MethodSummary } from '../method.ts'

/** Brands by Moneris' card types, with the numbers that they begin with; the first that fits is a number's. */
const BRANDS: readonly { readonly type: string; readonly brand: string; readonly number: RegExp }[] = [
  { type: 'V', brand: 'visa', number: /^4/ },
  { type: 'M', brand: 'mastercard', number: /^(5[1-5]|2[2-7])/ },
  { type: 'AX', brand: 'amex', number: /^3[47]/ },
  { type: 'DC', brand: 'diners', number: /^3[068]/ },
  { type: 'C1', brand: 'jcb', number: /^35/ },
  { type: 'UP', brand: 'unionpay', number: /^62/ },
  { type: 'NO', brand: 'discover', number: /^6/ },
]

const toSummary = (found: { readonly brand: string } | undefined): Pick<MethodSummary, 'brand'> =>
  found === undefined ? {} : { brand: found.brand }

/** The brand of a card type; nothing for one that is not known. */
export const brandOfType = (cardType: string): Pick<MethodSummary, 'brand'> => toSummary(BRANDS.find(({ type }) => type === cardType))

/** The brand of a card's number; nothing for one that is not known. */
export const brandOfNumber = (cardNumber: string): Pick<MethodSummary, 'brand'> =>
  toSummary(BRANDS.find(({ number }) => number.test(cardNumber)))
