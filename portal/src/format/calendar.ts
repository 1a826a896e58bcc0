import { type Day, dayOf, type Span } from '@counterfoil/contract/kit/day'
import { pageLocale } from './locale.ts'

/** The day that it is now in UTC, whatever the reader's own zone. */
export const todayUtc = (): Day => dayOf(new Date())

/** The time of day of an instant as "23:14", in UTC; nothing for a text that is none. */
export const formatTime = (instant: string): string => {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? '' : calendarOf('time').format(ms)
}

/** Days from one to another as "1 – 20 Nov 2026", as the reader's locale shortens them. */
export const formatSpan = ({ from, to }: Span): string => calendarOf('day').formatRange(startOf(from), startOf(to))

const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`)

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' } as const
const FORMS = { day: DAY, time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } } as const

const made = new Map<string, Intl.DateTimeFormat>()

const calendarOf = (form: keyof typeof FORMS): Intl.DateTimeFormat => {
  const locale = pageLocale()
  const key = `${locale} ${form}`
  const formatter = made.get(key) ?? new Intl.DateTimeFormat(locale, FORMS[form])
  made.set(key, formatter)
  return formatter
}
