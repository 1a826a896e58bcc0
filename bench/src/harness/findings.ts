/** The value below which that fraction of the samples lies; `samples` need not be sorted. */
export const percentile = (samples: readonly number[], fraction: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5)

/** One line of the report: what was measured, its limit, and whether the limit is met. */
export interface Finding {
  readonly what: string
  readonly measured: string
  readonly limit: string
  readonly isMet: boolean
}

export const maxFinding = (what: string, value: number, limit: number, unit: string, note = ''): Finding => ({
  what,
  measured: `${round(value)} ${unit}${note}`.trim(),
  limit: `at most ${limit} ${unit}`.trim(),
  isMet: value <= limit,
})

export const minFinding = (what: string, value: number, limit: number, unit: string, note = ''): Finding => ({
  what,
  measured: `${round(value)} ${unit}${note}`.trim(),
  limit: `at least ${limit} ${unit}`.trim(),
  isMet: value >= limit,
})

const round = (value: number): number => Number(value.toPrecision(3))

/** The findings as a Markdown table. */
export const toTable = (findings: readonly Finding[]): string =>
  [
    '| what | measured | limit | |',
    '|---|---|---|---|',
    ...findings.map(({ what, measured, limit, isMet }) => `| ${what} | ${measured} | ${limit} | ${isMet ? 'met' : 'MISSED'} |`),
  ].join('\n')
