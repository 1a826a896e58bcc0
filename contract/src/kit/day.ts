import { Type } from 'typebox'

/** A calendar day in UTC, "YYYY-MM-DD". */
export type Day = string

/** The schema of a day in a request or a response. */
export const Day = Type.String({ format: 'date', description: 'A day in UTC, YYYY-MM-DD', examples: ['2026-11-20'] })

/** An instant in UTC, ISO 8601 with a Z. */
export const Instant = Type.String({ format: 'date-time', description: 'An instant in UTC' })

const DAY_MS = 86_400_000

/** The UTC day of a Unix time in milliseconds. */
const isoDay = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)
/** The Unix time of a day's start in UTC, in milliseconds; NaN for no day. */
const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`)

/** The UTC day of an instant. */
export const dayOf = (instant: Date): Day => isoDay(instant.getTime())

/** The day a number of days later, or earlier when it is negative. */
export const addDays = (day: Day, days: number): Day => isoDay(msOf(day) + days * DAY_MS)

/** The number of days from one day to another; negative when the second is earlier. */
export const daysBetween = (from: Day, to: Day): number => Math.round((msOf(to) - msOf(from)) / DAY_MS)

/** The first day of a day's month, moved by a number of months. */
export const firstOfMonth = (day: Day, months = 0): Day => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return isoDay(Date.UTC(year, month - 1 + months, 1))
}

/** The last day of a day's month. */
export const lastOfMonth = (day: Day): Day => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return `${day.slice(0, 8)}${new Date(Date.UTC(year, month, 0)).getUTCDate()}`
}

/** Is the text a real calendar day, written YYYY-MM-DD? */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const ms = msOf(text)
  return !Number.isNaN(ms) && isoDay(ms) === text
}

/** The days from one to another, both included. */
export interface Span {
  readonly from: Day
  readonly to: Day
}
