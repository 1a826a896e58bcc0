import { pageLocale } from './locale.ts'

const made = new Map<string, Intl.DateTimeFormat>()

/** A day without its year, as in "1 Nov": for a chart's axis, where the whole day stands in the bar's detail. */
export const formatShortDay = (day: string): string => {
  const instant = Date.parse(`${day.slice(0, 10)}T00:00:00Z`)
  const locale = pageLocale()
  const formatter =
    made.get(locale) ?? new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC', calendar: 'gregory' })
  made.set(locale, formatter)
  return Number.isNaN(instant) ? day : formatter.format(instant)
}
