import { type Day, dayOf, firstOfMonth, lastOfMonth, type Span } from '@counterfoil/contract/kit/day'
import { pageLocale } from './locale.ts'

/** A currency's code in place of a symbol stands apart from the digits, as in "USD 5.00". */
const ENDS_WITH_CODE = /[A-Z]{3}$/
const NO_BREAK_SPACE = '\u00A0'

const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: 'always' } as const
const FOUR_DECIMALS = { minimumFractionDigits: 4, maximumFractionDigits: 4, useGrouping: 'always' } as const

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' } as const
const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' } as const
const SHORT_MONTH = { month: 'short', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' } as const
const MONTH_NAME = { month: 'short', timeZone: 'UTC', calendar: 'gregory' } as const
const SHORT_DAY = { day: 'numeric', month: 'short', timeZone: 'UTC', calendar: 'gregory' } as const
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const

/** Money such as "A$1,234.50", with two decimals; "-A$5.00" below zero. */
export const formatMoney = (amount: number, symbol: string): string => withSymbol(amount, symbol, TWO_DECIMALS)

/** A usage price with its symbol and four decimals. */
export const formatUnitPrice = (price: number, symbol: string): string => withSymbol(price, symbol, FOUR_DECIMALS)

/** A number with the locale's separators and at most `maxDecimals` decimals. */
export const formatNumber = (value: number, maxDecimals = 2): string =>
  numberFormat({ maximumFractionDigits: maxDecimals, useGrouping: 'always' }).format(value)

/** A percentage such as "2.95 %", with as many decimals as it has. */
export const formatPercent = (percent: number): string => `${formatNumber(percent, 4)}\u00a0%`

/**
 * A day such as "20 Nov 2026", with the month in letters so that nobody takes it for the day.
 * @param day "YYYY-MM-DD" or an instant in UTC that begins with it; any other text is returned as it is
 */
export const formatDay = (day: string): string => formatCalendarDay(day, DAY)

/** A day without its year, such as "1 Nov", for a chart's axis. */
export const formatShortDay = (day: string): string => formatCalendarDay(day, SHORT_DAY)

/** The month of a day, such as "November 2026". */
export const formatMonth = (day: string): string => formatCalendarDay(day, MONTH)

/** The month of a day in short, such as "Nov 2026", for a chart's axis. */
export const formatShortMonth = (day: string): string => formatCalendarDay(day, SHORT_MONTH)

/** The name of a day's month in short, such as "Nov", for an axis on which the year is known. */
export const formatMonthName = (day: string): string => formatCalendarDay(day, MONTH_NAME)

/** A billing period: its month when it is a whole one, else its first and last day. */
export const formatPeriod = ({ from, to }: Span): string =>
  from === firstOfMonth(from) && to === lastOfMonth(from) ? formatMonth(from) : `${formatDay(from)} – ${formatDay(to)}`

/** A billing period in short, for a column of a table: "Nov 2026", or "15 Oct – 14 Nov 2026". */
export const formatShortPeriod = (period: Span): string =>
  period.from === firstOfMonth(period.from) && period.to === lastOfMonth(period.from)
    ? formatShortMonth(period.from)
    : formatDayRange(period)

/** A range of days without its year, such as "1 – 7 Nov", for a chart's axis. */
export const formatShortDayRange = ({ from, to }: Span): string => dateFormat(SHORT_DAY).formatRange(startOfDay(from), startOfDay(to))

/** A range of days such as "1 – 20 Nov 2026". */
export const formatDayRange = ({ from, to }: Span): string => dateFormat(DAY).formatRange(startOfDay(from), startOfDay(to))

/** The time of day of an instant as "23:14", in UTC; empty for a text that is no instant. */
export const formatTime = (instant: string): string => {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? '' : dateFormat(TIME).format(ms)
}

/** An instant in the reader's own time zone, which is named: "27 Nov 2026, 09:14 AEDT". */
export const formatLocalTime = (instant: string): string =>
  new Intl.DateTimeFormat(pageLocale(), {
    ...DAY,
    ...TIME,
    timeZone: undefined,
    timeZoneName: 'short',
  }).format(new Date(instant))

/** How a number and a day are written in a locale that is not the page's: "1,234.50 · 24 Nov 2026". */
export const sampleOf = (locale: string, day: Day): string =>
  `${new Intl.NumberFormat(locale, TWO_DECIMALS).format(1_234.5)} · ${new Intl.DateTimeFormat(locale, DAY).format(startOfDay(day))}`

/** Today's day in UTC, whatever the user's time zone. */
export const todayUtc = (): Day => dayOf(new Date())

/** The symbol before the digits, and a minus before both; none for what rounds to zero. */
const withSymbol = (value: number, symbol: string, options: typeof TWO_DECIMALS | typeof FOUR_DECIMALS): string => {
  const digits = numberFormat(options).format(Math.abs(value))
  const isNegative = value < 0 && Number(Math.abs(value).toFixed(options.maximumFractionDigits)) !== 0
  return `${isNegative ? '-' : ''}${symbol}${ENDS_WITH_CODE.test(symbol) ? NO_BREAK_SPACE : ''}${digits}`
}

/** The first instant of a day in UTC, in milliseconds since 1970; NaN for a text that does not begin with a day. */
const startOfDay = (day: string): number => Date.parse(`${day.slice(0, 10)}T00:00:00Z`)

/** A day in UTC in the page's locale; a text that does not begin with a day is returned as it is. */
const formatCalendarDay = (
  day: string,
  options: typeof DAY | typeof SHORT_DAY | typeof MONTH | typeof SHORT_MONTH | typeof MONTH_NAME,
): string => {
  const ms = startOfDay(day)
  return Number.isNaN(ms) ? day : dateFormat(options).format(ms)
}

/**
 * A function that gives the page locale's formatter for some options, each made once: making one takes far longer than using it, and a grid
 * uses hundreds.
 */
const cacheFormats = <Format, Options>(create: (locale: string, options: Options) => Format) => {
  const formats = new Map<string, Format>()
  return (options: Options): Format => {
    const locale = pageLocale()
    const key = `${locale} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? create(locale, options)
    formats.set(key, format)
    return format
  }
}

/** The page's format of numbers with these options. */
export const numberFormat = cacheFormats((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))
/** The page's format of days and times with these options. */
const dateFormat = cacheFormats((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))
