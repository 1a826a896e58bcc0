/** Usage that is imported and may be a mistake: how many rows of a file. */
export interface UnusualUsage {
  readonly beforeFirstPeriod: number
  readonly moreThanADayAhead: number
  readonly negativePrices: number
}

export const NOTHING_UNUSUAL: UnusualUsage = { beforeFirstPeriod: 0, moreThanADayAhead: 0, negativePrices: 0 }

const DAY_MS = 86_400_000

/** The instant from which on usage lies more than a day ahead. */
export const dayAhead = (now: Date): Date => new Date(now.getTime() + DAY_MS)

/** A sentence for the person who imports; null where nothing is unusual. */
export const unusualUsageText = ({ beforeFirstPeriod, moreThanADayAhead, negativePrices }: UnusualUsage): string | null => {
  const found = [
    [beforeFirstPeriod, 'dated before the first billing period of the customer'],
    [moreThanADayAhead, 'dated more than a day ahead'],
    [negativePrices, 'with a negative price'],
  ] as const
  const counted = found.flatMap(([rows, words]) =>
    rows > 0 ? [`${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} ${words}`] : [],
  )
  return counted.length === 0 ? null : `Look at ${counted.join(', ')}.`
}
