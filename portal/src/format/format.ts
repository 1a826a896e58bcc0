import { pageLocale } from './locale.ts'

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const SIZE_STEP = 1_024

/** An amount as "A$1,234.50": symbol, thousands separators, two decimals; "-A$5.00" below zero (portal.md §9). */
export const formatMoney = (amount: number, symbol: string): string => signed(amount, symbol, 2)

/** A usage price, with four decimals (portal.md §9). */
export const formatUnitPrice = (price: number, symbol: string): string => signed(price, symbol, 4)

/** A number with the reader's separators and at most so many decimals. */
export const formatNumber = (value: number, mostDecimals = 2): string => numbers(0, mostDecimals).format(value)

/**
 * A day as "20 Nov 2026", the month in letters so that nobody takes it for the day.
 * @param day "YYYY-MM-DD", or an instant in UTC that begins so; any other text is given back as it is
 */
export const formatDay = (day: string): string => {
  const instant = Date.parse(`${day.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(instant) ? day : days().format(instant)
}

/** A file's size as "1.5 MB": B, KB, MB, GB or TB, a step being 1,024 (portal.md §9). */
export const formatFileSize = (bytes: number): string => {
  const steps = SIZES.map((unit, power) => ({ unit, size: bytes / SIZE_STEP ** power }))
  // 1,023.99 KB would be written as 1,024 KB: that is 1 MB.
  const fit = steps.find(({ size }) => Math.round(size * 10) / 10 < SIZE_STEP) ?? steps.at(-1)
  return fit === undefined ? '' : `${numbers(0, 1).format(fit.size)} ${fit.unit}`
}

const signed = (value: number, symbol: string, decimals: number): string => {
  const digits = numbers(decimals, decimals).format(Math.abs(value))
  const isNegative = value < 0 && Number(Math.abs(value).toFixed(decimals)) !== 0
  return `${isNegative ? '-' : ''}${symbol}${digits}`
}

const made = new Map<string, Intl.NumberFormat>()

/** Making a formatter costs a hundred times what using one does, and a grid needs hundreds. */
const numbers = (leastDecimals: number, mostDecimals: number): Intl.NumberFormat => {
  const locale = pageLocale()
  const key = `${locale} ${leastDecimals} ${mostDecimals}`
  const formatter =
    made.get(key) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits: leastDecimals, maximumFractionDigits: mostDecimals, useGrouping: 'always' })
  made.set(key, formatter)
  return formatter
}

const calendars = new Map<string, Intl.DateTimeFormat>()

const days = (): Intl.DateTimeFormat => {
  const locale = pageLocale()
  const formatter =
    calendars.get(locale) ??
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' })
  calendars.set(locale, formatter)
  return formatter
}
