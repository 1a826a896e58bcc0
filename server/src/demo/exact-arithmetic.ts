/** Sums and shares of whole numbers below 2^53: milli for quantities, minor for money. */

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

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
