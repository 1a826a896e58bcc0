/** Exact arithmetic on whole numbers below 2^53: milli for quantities, micro for unit prices, minor for money. */

/** `whole ÷ 10^places` as a decimal text: `shifted(4275, 6)` is "0.004275". */
export const shifted = (whole: number, places: number): string => {
  const digits = String(Math.abs(whole)).padStart(places + 1, '0')
  return `${whole < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** `numerator ÷ denominator`, rounded half away from zero; the denominator is positive. */
export const roundedQuotient = (numerator: number, denominator: number): number => {
  const size = Math.abs(numerator)
  const rest = size % denominator
  const whole = (size - rest) / denominator + (rest * 2 >= denominator ? 1 : 0)
  return numerator < 0 ? -whole : whole
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** The micro units of a decimal text with at most six digits after the point: `micros('0.0042')` is 4200. */
export const micros = (decimal: string): number => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return Number(whole + fraction.padEnd(6, '0'))
}

/** A whole number in portions by weight that add up to it. */
export const portions = (whole: number, weights: readonly number[]): number[] => {
  const total = sumOf(weights)
  let [before, given] = [0, 0]
  return weights.map((weight) => {
    before += weight
    const portion = Math.round((whole * before) / total) - given
    given += portion
    return portion
  })
}
