import { addDays, type Day, daysBetween, firstOfMonth, lastOfMonth } from '@counterfoil/contract/kit/day'

export const PERIODS = 13

/** The months before the first period, of which there are only the invoices, so that this year can be compared with the whole last one. */
export const EARLIER_MONTHS = 13

export interface Period {
  /** 0 is the oldest, PERIODS − 1 the current month. */
  readonly index: number
  readonly startsOn: Day
  readonly endsOn: Day
}

/** The calendar months of the demo data: twelve closed ones and the current one, oldest first. */
export const periodsUntil = (today: Day): Period[] =>
  Array.from({ length: PERIODS }, (_, index) => {
    const startsOn = firstOfMonth(today, index - PERIODS + 1)
    return { index, startsOn, endsOn: lastOfMonth(startsOn) }
  })

/** Every day from the start of the first period until today. */
export const daysUntil = (today: Day): Day[] => {
  const first = firstOfMonth(today, 1 - PERIODS)
  return Array.from({ length: daysBetween(first, today) + 1 }, (_, count) => addDays(first, count))
}

/** The index of the period that a day is in; below 0 for a day before the first. */
export const periodIndexOf = (day: Day, today: Day): number => PERIODS - 1 - (monthsOf(today) - monthsOf(day))

/** A day's month as a count of months since year 0. */
const monthsOf = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** The day of the week, 0 for Sunday. */
export const weekdayOf = (day: Day): number => ((daysBetween('2023-01-01', day) % 7) + 7) % 7

/** Seconds since 1970 at the day's first instant, UTC. */
export const secondsOf = (day: Day): number => daysBetween('1970-01-01', day) * 86_400
