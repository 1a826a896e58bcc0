import { roundToUnits, unitsToText } from './decimal.ts'

/** An exact amount: whole minor units (cents) of a currency. Sums are made here and never in binary floating point. */
export interface Money {
  readonly minor: bigint
  readonly currency: string
}

/** ISO 4217 currencies whose minor unit is not a hundredth; every other currency has 2 digits. */
const DIGITS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
}

/** The currencies whose minor unit is not a hundredth, with their digits. */
export const currenciesWithOtherDigits = (): readonly (readonly [currency: string, digits: number])[] => Object.entries(DIGITS)

/** How many decimal digits a currency's amounts carry: 2 for most, 0 for JPY, 3 for KWD. */
export const currencyDigits = (currency: string): number => DIGITS[currency] ?? 2

/** Minor units as the exact decimal text with the currency's digits: `toDecimalText({ minor: -5n, currency: 'USD' })` is "-0.05". */
export const toDecimalText = ({ minor, currency }: Money): string => unitsToText(minor, currencyDigits(currency))

/** The JSON number of an amount, at the edge only. Exact while the amount has at most 15 significant digits. */
export const toJsonNumber = (money: Money): number => Number(toDecimalText(money))

/** A decimal text as money, rounded half away from zero to the currency's digits. @throws RangeError when it is not a plain decimal */
export const parseMoney = (decimal: string, currency: string): Money => ({
  minor: roundToUnits(decimal, currencyDigits(currency)),
  currency,
})
