import { roundToUnits } from '@counterfoil/contract/kit/money'

/** Maximum number of decimal digits of a usage record's units and price. */
const DIGITS = 18

/** A decimal text as a whole number of 10^-18, so that sums are exact. */
export const toExact = (decimal: string): bigint => roundToUnits(decimal, DIGITS)

/** An exact number as decimal text, rounded half away from zero to a fixed number of digits. */
export const toDecimal = (exact: bigint, digits: number): string => {
  const step = 10n ** BigInt(DIGITS - digits)
  const absolute = exact < 0n ? -exact : exact
  const units = (absolute + step / 2n) / step
  const text = units.toString().padStart(digits + 1, '0')
  const sign = exact < 0n && units > 0n ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The nearest JavaScript number, for a spreadsheet cell. */
export const toCellNumber = (exact: bigint): number => Number(toDecimal(exact, DIGITS))
