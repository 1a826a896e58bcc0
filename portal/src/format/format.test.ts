import { afterEach, expect, test, vi } from 'vitest'
import {
  formatDay,
  formatDayRange,
  formatMoney,
  formatMonth,
  formatPeriod,
  formatShortPeriod,
  formatNumber,
  formatShortDay,
  formatMonthName,
  formatTime,
  formatUnitPrice,
  sampleOf,
} from './format.ts'
import { formatCompactAmount, formatTick } from './chart-number.ts'
import { formatFileSize } from './file-size.ts'
import { browserLocale, choosePageLocale, pageLocale } from './locale.ts'

const setLanguages = (...languages: string[]): void => {
  vi.stubGlobal('navigator', { languages })
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('[BRAND-03] money has a symbol, thousands separators and two decimals, with the sign first', () => {
  setLanguages('en-AU')
  const shown = [0, 5, 1_234.5, 1_234_567.891, -1_234.5, -0.004, -0].map((amount) => formatMoney(amount, 'A$'))
  expect(shown).toEqual(['A$0.00', 'A$5.00', 'A$1,234.50', 'A$1,234,567.89', '-A$1,234.50', 'A$0.00', 'A$0.00'])
})

test('[BRAND-03] a currency’s code stands apart from the digits', () => {
  setLanguages('en-AU')
  expect([formatMoney(5, 'USD'), formatMoney(-5, 'USD'), formatMoney(5, 'US$')]).toEqual(['USD\u00A05.00', '-USD\u00A05.00', 'US$5.00'])
})

test('[BRAND-03] a usage price has four decimals', () => {
  setLanguages('en-US')
  expect([0.0125, 1_000, -0.00004].map((price) => formatUnitPrice(price, '$'))).toEqual(['$0.0125', '$1,000.0000', '$0.0000'])
})

test('[BRAND-02] numbers and money use the separators of the locale, with thousands separators even for four digits', () => {
  setLanguages('de-DE')
  expect([formatMoney(1_234.5, '€'), formatNumber(1_234.567)]).toEqual(['€1.234,50', '1.234,57'])
  setLanguages('es-ES')
  expect(formatMoney(1_234.5, '€')).toBe('€1.234,50')
})

test('[BRAND-02] a day is the UTC day, with its month in letters, in the order of the locale', () => {
  setLanguages('en-GB')
  expect([formatDay('2026-03-04'), formatDay('2026-12-31T23:59:59.000Z')]).toEqual(['4 Mar 2026', '31 Dec 2026'])
  setLanguages('en-US')
  expect(formatDay('2026-03-04')).toBe('Mar 4, 2026')
  setLanguages('de-DE')
  expect(formatDay('2026-03-04')).toBe('4. März 2026')
  setLanguages('th-TH')
  expect(formatDay('2026-03-04')).toContain('2026')
})

test('[BRAND-02] a text that is no day is returned as it is', () => {
  setLanguages('en-GB')
  expect([formatDay(''), formatDay('soon')]).toEqual(['', 'soon'])
})

test('[BRAND-02] a short day, a range of days and a time of day are those of UTC', () => {
  setLanguages('en-GB')
  expect(formatShortDay('2026-11-01')).toBe('1 Nov')
  expect(formatDayRange({ from: '2026-11-01', to: '2026-11-20' }).replaceAll(/\s/g, ' ')).toBe('1 – 20 Nov 2026')
  expect([formatTime('2026-11-20T23:14:59Z'), formatTime('soon')]).toEqual(['23:14', ''])
})

test('[DASH-02] a chart shortens amounts from a hundred thousand on', () => {
  setLanguages('en-US')
  expect([99_999.5, 100_000, -1_460_000].map(formatCompactAmount)).toEqual(['99,999.50', '100K', '-1.46M'])
  expect([0.5, 1_500, 250_000].map(formatTick)).toEqual(['0.5', '1,500', '250K'])
})

test('[BRAND-03] a file size is given in B, KB, MB, GB or TB', () => {
  setLanguages('en-GB')
  const sizes = [0, 999, 1_023, 1_024, 1_536, 1_048_575, 1_048_576, 5 * 1_024 ** 3, 2.5 * 1_024 ** 4, 3_000 * 1_024 ** 4]
  expect(sizes.map(formatFileSize)).toEqual(['0 B', '999 B', '1,023 B', '1 KB', '1.5 KB', '1 MB', '1 MB', '5 GB', '2.5 TB', '3,000 TB'])
})

test('[BRAND-02] the page locale is the first language of the browser that Intl supports', () => {
  expect(pageLocale(['en-US@posix'])).toBe('en-US')
  expect(pageLocale(['de_AT.UTF-8', 'en'])).toBe('de-AT')
  expect(pageLocale(['!!', '', 'fr-CA'])).toBe('fr-CA')
  expect(pageLocale(['*'])).toBe('en')
  expect(pageLocale([])).toBe('en')
})

test.each(['ar-EG', 'fa-IR', 'mr-IN', 'ar-EG-u-nu-arab'])('[BRAND-02] digits are Latin under %s', (language) => {
  setLanguages(language)
  const shown = [
    formatMoney(1_234.5, '$'),
    formatNumber(12),
    formatDay('2026-03-04'),
    formatTime('2026-11-20T23:14:59Z'),
    formatMonth('2026-03-01'),
  ]
  expect(shown.map((text) => /[0-9]/.test(text) && !/[^\P{Nd}0-9]/u.test(text))).toEqual(shown.map(() => true))
})

test('[BRAND-02] a month is written in the language of the page', () => {
  setLanguages('de-DE')
  expect(formatMonth('2026-03-01')).toBe('März 2026')
  setLanguages('en-GB')
  expect([formatMonth('2026-11-30'), formatMonthName('2026-11-30')]).toEqual(['November 2026', 'Nov'])
})

test('[TXN-01] a period is a month and year, or its first and last day', () => {
  setLanguages('de-DE')
  expect(formatPeriod({ from: '2026-02-01', to: '2026-02-28' })).toBe('Februar 2026')
  expect(formatPeriod({ from: '2026-02-01', to: '2026-02-27' })).toBe('1. Feb. 2026 – 27. Feb. 2026')
  setLanguages('en-GB')
  const short = [formatShortPeriod({ from: '2026-11-01', to: '2026-11-30' }), formatShortPeriod({ from: '2026-10-15', to: '2026-11-14' })]
  expect(short.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(['Nov 2026', '15 Oct – 14 Nov 2026'])
})

test('[EASE-14] a sample shows how numbers and days are written', () => {
  expect(sampleOf('en-AU', '2026-11-24')).toBe('1,234.50 · 24 Nov 2026')
  expect(sampleOf('de-DE', '2026-11-24')).toBe('1.234,50 · 24. Nov. 2026')
  expect(sampleOf('es-ES', '2026-11-24')).toBe('1.234,50 · 24 nov 2026')
})

test('[EASE-14] a chosen locale goes before the browser’s, and taken back leaves it', () => {
  setLanguages('en-GB')
  choosePageLocale('de-CH')
  expect([pageLocale(), browserLocale(), formatDay('2026-11-24')]).toEqual(['de-CH', 'en-GB', '24. Nov. 2026'])
  choosePageLocale(null)
  expect([pageLocale(), formatDay('2026-11-24')]).toEqual(['en-GB', '24 Nov 2026'])
})
