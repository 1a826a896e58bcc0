import { type Day, lastOfMonth } from '@counterfoil/contract/kit/day'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The month of a day as text: "November 2026". */
export const monthLabel = (day: Day): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

/** Whether these days are the first and the last of one and the same month. */
export const isWholeMonth = (startsOn: Day, endsOn: Day): boolean => startsOn.endsWith('-01') && endsOn === lastOfMonth(startsOn)

/** A period as text: a whole month by its name, any other by its first and last day. */
export const periodLabel = (startsOn: Day, endsOn: Day): string =>
  isWholeMonth(startsOn, endsOn) ? monthLabel(startsOn) : `${startsOn} – ${endsOn}`
