import { addDays } from '@counterfoil/contract/kit/day'

/** Usage that is imported and may be a mistake: how many rows of a file. */
export interface UnusualUsage {
  readonly beforeFirstPeriod: number
  readonly moreThanADayAhead: number
  readonly negativePrices: number
}

export const NOTHING_UNUSUAL: UnusualUsage = { beforeFirstPeriod: 0, moreThanADayAhead: 0, negativePrices: 0 }

/**
 * The instant a day from now, after which usage counts as too far ahead, in the form in which usage is staged: "YYYY-MM-DD HH:MM:SS+00".
 */
export const dayAhead = (now: Date): string => {
  const [day = '', time = ''] = now.toISOString().split('T')
  return `${addDays(day, 1)} ${time.slice(0, 8)}+00`
}

/** A sentence that names the unusual rows to the person who imports; null where nothing is unusual. */
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
