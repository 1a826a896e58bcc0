import { type Day, daysBetween, firstOfMonth, isDay, lastOfMonth, type Span } from '@counterfoil/contract/kit/day'
import { TIMEFRAMES, timeframeDays } from '@counterfoil/contract/kit/timeframe'
import { formatMonth } from '../../format/format.ts'
import type { Option } from '../../ui/form/select.tsx'

/** Days that are chosen by hand. */
export const CUSTOM_RANGE = 'Custom range'

/** A preset, days chosen by hand, or a month such as "2026-09". */
export type UsageTimeframe = string

/** The chosen timeframe. The days are empty unless they are chosen by hand. */
export interface TimeChoice {
  readonly timeframe: UsageTimeframe
  readonly from: Day | ''
  readonly to: Day | ''
}

/** The longest range that the server answers for. */
const MAX_DAYS = 3_660

const MONTH = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/

/** The timeframe in the page's address; undefined when the address has none that is valid. */
export const parseTimeChoice = (slug: string | null, from: string | null, to: string | null): TimeChoice | undefined => {
  if (slug === toSlug(CUSTOM_RANGE))
    return dateRangeProblem(from ?? '', to ?? '') === null ? { timeframe: CUSTOM_RANGE, from: from ?? '', to: to ?? '' } : undefined
  const timeframe = TIMEFRAMES.find((preset) => toSlug(preset) === slug) ?? (MONTH.test(slug ?? '') ? slug : null)
  return timeframe === null ? undefined : { timeframe, from: '', to: '' }
}

/** A timeframe as it stands in the page's URL, such as "this-month". */
export const toSlug = (timeframe: UsageTimeframe): string => timeframe.toLowerCase().replaceAll(' ', '-')

/** The first and the last day of a chosen timeframe. */
export const rangeFromTimeframe = ({ timeframe, from, to }: TimeChoice, today: Day): Span => {
  if (timeframe === CUSTOM_RANGE) return { from, to }
  const preset = TIMEFRAMES.find((one) => one === timeframe)
  return preset === undefined ? monthSpan(`${timeframe}-01`) : timeframeDays(preset, today)
}

/** The first and the last day of the day's month. */
const monthSpan = (day: Day): Span => ({ from: firstOfMonth(day), to: lastOfMonth(day) })

/** The timeframe that stands for these days: the month when they are a whole month, else a custom range. */
export const timeframeFromRange = ({ from, to }: Span): TimeChoice =>
  from === firstOfMonth(from) && to === lastOfMonth(from)
    ? { timeframe: from.slice(0, 7), from: '', to: '' }
    : { timeframe: CUSTOM_RANGE, from, to }

/** Why two days are no range, and which of the two fields to change. */
export interface DateRangeProblem {
  readonly field: 'from' | 'to'
  readonly text: string
}

/** The problem of a typed range; null when the range can be shown. */
export const dateRangeProblem = (from: string, to: string): DateRangeProblem | null => {
  if (!isUsableDay(from)) return { field: 'from', text: 'Enter the first day.' }
  if (!isUsableDay(to)) return { field: 'to', text: 'Enter the last day.' }
  if (to < from) return { field: 'to', text: 'The last day lies before the first.' }
  return daysBetween(from, to) < MAX_DAYS ? null : { field: 'to', text: 'Choose at most ten years at a time.' }
}

/** Whether the text is a day of the years 1000 to 2999, which every database and calendar counts alike. */
const isUsableDay = (text: string): boolean => isDay(text) && /^[12]/.test(text)

/** The presets, days by hand, and every earlier month with usage under its year. */
export const timeOptions = (months: readonly Day[] | undefined, chosen: UsageTimeframe, today: Day): readonly Option[] => {
  const earlier = (months ?? []).map((month) => month.slice(0, 7)).filter((month) => month < today.slice(0, 7))
  const all = MONTH.test(chosen) && !earlier.includes(chosen) ? [...earlier, chosen].toSorted().toReversed() : earlier
  return [
    ...[...TIMEFRAMES, CUSTOM_RANGE].map((timeframe) => ({ id: timeframe, label: timeframe })),
    ...all.map((month) => ({ id: month, label: formatMonth(`${month}-01`), group: month.slice(0, 4) })),
  ]
}
