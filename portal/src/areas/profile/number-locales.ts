import { NUMBER_LOCALES } from '@counterfoil/contract/user/profile'
import { browserLocale } from '../../format/locale.ts'
import type { Option } from '../../ui/form/select.tsx'

/** The option of those who leave it to the browser. */
export const BROWSERS = ''

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** The locales to choose among, by name, the browser's first. */
export const localeOptions = (): Option[] => [
  { id: BROWSERS, label: `Browser: ${names.of(browserLocale())}` },
  ...NUMBER_LOCALES.map((id) => ({ id, label: names.of(id) ?? id })).toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
]
