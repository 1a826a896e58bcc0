import { NUMBER_LOCALES } from '@counterfoil/contract/profile'
import { browserLocale } from '../../format/locale.ts'
import type { Option } from '../../ui/form/select.tsx'

/** The option of those who leave it to the browser. */
export const BROWSERS = ''

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** The locales to choose among, by name, the browser's first. */
export const localeOptions = (): Option[] => [
  { id: BROWSERS, label: `Browser’s language: ${names.of(browserLocale())}` },
  ...NUMBER_LOCALES.map((id) => ({ id, label: names.of(id) ?? id })).toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
]

/** How a number and a day are written in a locale: "1,234.50 · 24 Nov 2026". */
export const sampleOf = (locale: string, day: string): string => {
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: 'always' }).format(1_234.5)
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' })
  return `${number} · ${date.format(Date.parse(day))}`
}
