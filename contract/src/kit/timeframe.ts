import { addDays, type Day, firstOfMonth, lastOfMonth, type Span } from './day.ts'

/** The timeframes that usage and reports offer, in the order in which they are shown. */
export const TIMEFRAMES = ['This Month', 'Last Month', 'Last 7 Days', 'Last 30 Days'] as const
export type Timeframe = (typeof TIMEFRAMES)[number]

const SPANS: Readonly<Record<Timeframe, (today: Day) => Span>> = {
  'This Month': (today) => ({ from: firstOfMonth(today), to: today }),
  'Last Month': (today) => ({ from: firstOfMonth(today, -1), to: lastOfMonth(firstOfMonth(today, -1)) }),
  'Last 7 Days': (today) => ({ from: addDays(today, -6), to: today }),
  'Last 30 Days': (today) => ({ from: addDays(today, -29), to: today }),
}

/** The days of a timeframe relative to a given UTC day, with which all but "Last Month" end. */
export const timeframeDays = (timeframe: Timeframe, today: Day): Span => SPANS[timeframe](today)
