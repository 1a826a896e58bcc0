/** Exact arithmetic on whole numbers below 2^53: milli for quantities, micro for unit prices, minor for money. */

/** `integer ÷ 10^places` as a decimal text: `toDecimalText(4275, 6)` is "0.004275". */
export const toDecimalText = (integer: number, places: number): string => {
  const digits = String(Math.abs(integer)).padStart(places + 1, '0')
  return `${integer < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** `numerator ÷ denominator`, rounded half away from zero; the denominator is positive. */
export const divideRounded = (numerator: number, denominator: number): number => {
  const absolute = Math.abs(numerator)
  const remainder = absolute % denominator
  const integer = (absolute - remainder) / denominator + (remainder * 2 >= denominator ? 1 : 0)
  return numerator < 0 ? -integer : integer
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** The micro units of a decimal text with at most six digits after the point: `toMicros('0.0042')` is 4200. */
export const toMicros = (decimal: string): number => {
  const [integer = '0', fraction = ''] = decimal.split('.')
  return Number(integer + fraction.padEnd(6, '0'))
}

/** Splits an integer by weights into integers that add up to it. */
export const splitByWeight = (integer: number, weights: readonly number[]): number[] => {
  const total = sumOf(weights)
  let [before, assigned] = [0, 0]
  return weights.map((weight) => {
    before += weight
    const portion = Math.round((integer * before) / total) - assigned
    assigned += portion
    return portion
  })
}
