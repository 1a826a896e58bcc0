/**
 * How likely two samples of one source differ at least as much as these do: the two-sided Mann-Whitney test, by its normal
 * approximation, which is close from some twenty samples on. Equal values share their ranks.
 */
export const differenceByChance = (one: readonly number[], other: readonly number[]): number => {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))].toSorted(
    (a, b) => a.value - b.value,
  )
  const [n, m] = [one.length, other.length]
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1
    const rank = (from + 1 + to) / 2
    rankSum += rank * all.slice(from, to).filter(({ isOne }) => isOne).length
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const total = n + m
  const spread = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  const z = spread === 0 ? 0 : Math.abs(rankSum - (n * (total + 1)) / 2) / spread
  return 2 * upperTail(z)
}

/** The normal distribution beyond z (Abramowitz and Stegun 26.2.17; wrong by less than 1e-7). */
const upperTail = (z: number): number => {
  const t = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduceRight((rest, term) => t * (term + rest), 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
