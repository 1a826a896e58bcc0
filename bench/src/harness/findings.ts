/** The value below which a share of the samples lies; `samples` need not be sorted. */
export const percentile = (samples: readonly number[], share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5)

/** One line of the report: what was measured, against what, and whether it keeps its promise. */
export interface Finding {
  readonly what: string
  readonly measured: string
  readonly heldAgainst: string
  readonly kept: boolean
}

export const atMost = (what: string, value: number, limit: number, unit: string, note = ''): Finding => ({
  what,
  measured: `${round(value)} ${unit}${note}`.trim(),
  heldAgainst: `at most ${limit} ${unit}`.trim(),
  kept: value <= limit,
})

export const atLeast = (what: string, value: number, limit: number, unit: string, note = ''): Finding => ({
  what,
  measured: `${round(value)} ${unit}${note}`.trim(),
  heldAgainst: `at least ${limit} ${unit}`.trim(),
  kept: value >= limit,
})

const round = (value: number): number => Number(value.toPrecision(3))

/** The findings as a table for people. */
export const table = (findings: readonly Finding[]): string =>
  [
    '| what | measured | held against | |',
    '|---|---|---|---|',
    ...findings.map(({ what, measured, heldAgainst, kept }) => `| ${what} | ${measured} | ${heldAgainst} | ${kept ? 'kept' : 'MISSED'} |`),
  ].join('\n')
