const FALLBACK = 'en'
const LATIN_DIGITS = 'latn'

/** What the user has chosen in the profile; null: the browser's. */
let chosenLocale: string | null = null

/** Sets the locale that the user has chosen; null takes it back. */
export const choosePageLocale = (locale: string | null): void => {
  chosenLocale = locale
}

/**
 * The locale of dates, numbers and money: what the user has chosen, else the first of the browser's languages that Intl supports, with Latin
 * digits because the texts around them are English. Some systems report names such as `en-US@posix`, which Intl rejects.
 */
export const pageLocale = (languages: readonly string[] = pageLanguages()): string =>
  languages.map(canonical).find((tag) => tag !== null) ?? FALLBACK

/** The locale of those who have chosen none. */
export const browserLocale = (): string => pageLocale(browserLanguages())

const browserLanguages = (): readonly string[] => navigator.languages ?? [navigator.language]

const pageLanguages = (): readonly string[] => (chosenLocale === null ? browserLanguages() : [chosenLocale, ...browserLanguages()])

const canonical = (language: string): string | null => {
  try {
    const tag = Intl.getCanonicalLocales(language.split(/[@.]/, 1)[0]?.replaceAll('_', '-'))[0] ?? null
    return tag !== null && Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? withLatinDigits(tag) : null
  } catch {
    return null
  }
}

/** The locale itself where its digits are Latin already, so that `lang` and the texts of libraries keep the plain tag. */
const withLatinDigits = (tag: string): string =>
  new Intl.NumberFormat(tag).resolvedOptions().numberingSystem === LATIN_DIGITS
    ? tag
    : new Intl.Locale(tag, { numberingSystem: LATIN_DIGITS }).toString()
