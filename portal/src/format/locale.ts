const FALLBACK = 'en'
const LATIN_DIGITS = 'latn'

/** What the user has chosen in the profile; null: the browser's. */
let chosenLocale: string | null = null

/** Sets, in this page's memory, the locale that the user has chosen; null takes the choice back. */
export const choosePageLocale = (locale: string | null): void => {
  chosenLocale = locale
}

/**
 * The locale of dates, numbers and money: what the user has chosen, else the first of the browser's languages that Intl supports, with Latin
 * digits because the texts around them are English. Some systems report names such as `en-US@posix`, which Intl rejects.
 */
export const pageLocale = (languages: readonly string[] = pageLanguages()): string =>
  languages.map(canonical).find((tag) => tag !== null) ?? FALLBACK

/** The locale that a page has for those who have chosen none, from the browser's languages. */
export const browserLocale = (): string => pageLocale(browserLanguages())

/** The languages that the browser names, the preferred first. */
const browserLanguages = (): readonly string[] => navigator.languages ?? [navigator.language]

/** The locale that the user has chosen, where there is one, and after it the browser's languages. */
const pageLanguages = (): readonly string[] => (chosenLocale === null ? browserLanguages() : [chosenLocale, ...browserLanguages()])

/** The locale's standard tag with Latin digits; null where Intl does not know the locale. */
const canonical = (language: string): string | null => {
  try {
    const tag = Intl.getCanonicalLocales(language.split(/[@.]/, 1)[0]?.replaceAll('_', '-'))[0] ?? null
    return tag !== null && Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? withLatinDigits(tag) : null
  } catch {
    return null
  }
}

/**
 * The tag with Latin digits. A locale whose digits are Latin already stays itself, so that `lang` and the texts of libraries keep the plain
 * tag.
 */
const withLatinDigits = (tag: string): string =>
  new Intl.NumberFormat(tag).resolvedOptions().numberingSystem === LATIN_DIGITS
    ? tag
    : new Intl.Locale(tag, { numberingSystem: LATIN_DIGITS }).toString()
