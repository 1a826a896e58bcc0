/**
 * The p-value of the two-sided Mann-Whitney test: how likely two samples of one distribution differ at least as much as these.
 * Uses the normal approximation, which is good from about twenty samples on. Equal values share their ranks.
 */
export const mannWhitneyP = (first: readonly number[], second: readonly number[]): number => {
  const all = [...first.map((value) => ({ value, isFirst: true })), ...second.map((value) => ({ value, isFirst: false }))].toSorted(
    (a, b) => a.value - b.value,
  )
  const [n, m] = [first.length, second.length]
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1
    const rank = (from + 1 + to) / 2
    rankSum += rank * all.slice(from, to).filter(({ isFirst }) => isFirst).length
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const total = n + m
  const spread = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  const z = spread === 0 ? 0 : Math.abs(rankSum - (n * (total + 1)) / 2) / spread
  return 2 * upperTail(z)
}

/** The normal distribution's tail beyond z (Abramowitz and Stegun 26.2.17; error below 1e-7). */
const upperTail = (z: number): number => {
  const t = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduceRight((rest, term) => t * (term + rest), 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
