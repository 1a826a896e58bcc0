/** Exact decimals: a whole number (bigint) of units of 10^-digits. Nothing here passes through binary floating point. */

/** How many decimal digits an exact number has: the most that a quantity or a price may have. */
export const EXACT_DIGITS = 18

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * A decimal text ("-12.345") rounded half away from zero to whole units of `10^-digits`.
 * @throws RangeError when the text is not a plain decimal
 */
export const roundToUnits = (decimal: string, digits: number): bigint => {
  const parts = DECIMAL.exec(decimal)
  if (parts === null) throw new RangeError(`not a decimal number: ${decimal.slice(0, 40)}`)
  const [, sign, whole = '0', fraction = ''] = parts
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  const units = kept + (Number(fraction[digits] ?? '0') >= 5 ? 1n : 0n)
  return sign === '-' ? -units : units
}

/** Units of `10^-digits` as decimal text with all its digits: `unitsToText(-5n, 2)` is "-0.05". */
export const unitsToText = (units: bigint, digits: number): string => {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  const sign = units < 0n ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** `numerator / denominator` rounded half away from zero; the denominator is positive. */
export const divideRounded = (numerator: bigint, denominator: bigint): bigint => {
  const absolute = numerator < 0n ? -numerator : numerator
  const rounded = (absolute * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}

/** A decimal text as an exact number: whole units of 10^-18. @throws RangeError when it is not a plain decimal */
export const toExact = (decimal: string): bigint => roundToUnits(decimal, EXACT_DIGITS)

/** An exact number rounded half away from zero to whole units of `10^-digits`. */
export const exactToUnits = (exact: bigint, digits: number): bigint => divideRounded(exact, 10n ** BigInt(EXACT_DIGITS - digits))

/** An exact number as decimal text, rounded half away from zero to a number of digits. */
export const exactToText = (exact: bigint, digits: number): string => unitsToText(exactToUnits(exact, digits), digits)

/** An exact number as decimal text without trailing zeros. */
export const toShortText = (exact: bigint): string => unitsToText(exact, EXACT_DIGITS).replace(/\.?0+$/, '')

/** The exact sum of JavaScript numbers, each rounded to a number of decimal digits. @throws RangeError from 10^21 on, and below 10^-6 */
export const sumOfNumbers = (numbers: readonly number[], digits: number): number =>
  Number(
    unitsToText(
      numbers.reduce((sum, number) => sum + roundToUnits(String(number), digits), 0n),
      digits,
    ),
  )
