import { daysBetween, isDay, type Day } from '@counterfoil/contract/kit/day'
import type { InvoiceDocument } from '../invoice-document.ts'

const NO_BREAK_SPACE = '\u00a0'
const DAY_MS = 86_400_000
const PLAIN_DECIMAL = /^(-?)(\d+)(\.\d+)?$/

/**
 * A decimal text as money: "1204.5" in USD is "$1,204.5", "-3.00" is "-$3.00".
 * Only adds symbol and thousands separators; a text that is not a plain decimal stays as it is.
 */
export const formatMoney = (decimal: string, { currencySymbol }: Pick<InvoiceDocument, 'currencySymbol'>): string => {
  const parts = PLAIN_DECIMAL.exec(decimal)
  if (parts === null) return decimal
  const [, sign = '', whole = '', fraction = ''] = parts
  const gap = /\p{L}$/u.test(currencySymbol) ? NO_BREAK_SPACE : ''
  return `${sign}${currencySymbol}${gap}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`
}

/** True for a decimal text of zero, such as "0.00". */
export const isZero = (decimal: string): boolean => /^-?0+(\.0+)?$/.test(decimal)

/** "30 November 2026" in the document's language; a text that is not a day stays as it is. */
export const formatDay = (day: Day, language: string): string => (isDay(day) ? longDay(language).format(instantOf(day)) : day)

/** "1–30 Nov 2026" in the document's language, one day when the other is missing, "" when both are. */
export const formatPeriod = (from: Day | null, to: Day | null, language: string): string => {
  const days = [from, to].filter((day) => day !== null)
  const [first = '', last = ''] = [days.at(0), days.at(-1)]
  if (!isDay(first) || !isDay(last)) return days.join(' – ')
  return shortDay(language).formatRange(instantOf(first), instantOf(last))
}

const instantOf = (day: Day): number => daysBetween('1970-01-01', day) * DAY_MS

/** The format of a day with its month's name in full. */
const longDay = (language: string) => dayFormat(language, 'long')
/** The format of a day with its month's name abbreviated. */
const shortDay = (language: string) => dayFormat(language, 'short')

const formats = new Map<string, Intl.DateTimeFormat>()

/** The format of days in a language, made once and kept. Days are of UTC. */
const dayFormat = (language: string, month: 'long' | 'short'): Intl.DateTimeFormat => {
  const key = `${month} ${language}`
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' })
  formats.set(key, format)
  return format
}

/** The locale of dates in a language: British for plain "en" and for no valid language, since only American English has the month first. */
const localeOf = (language: string): string => {
  const [locale = 'en-GB'] = canonicalLocales(language)
  return locale === 'en' ? 'en-GB' : locale
}

/** The language tag in its canonical form; none for an invalid one. */
const canonicalLocales = (language: string): readonly string[] => {
  try {
    return Intl.getCanonicalLocales(language)
  } catch {
    return []
  }
}
