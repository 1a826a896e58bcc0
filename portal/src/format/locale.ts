const FALLBACK = 'en'

/**
 * The locale of dates, numbers and money: the first of the browser's languages that Intl supports.
 * Some systems report names such as `en-US@posix`, which Intl rejects.
 */
export const pageLocale = (languages: readonly string[] = navigator.languages ?? [navigator.language]): string =>
  languages.map(canonical).find((tag) => tag !== null) ?? FALLBACK

const canonical = (language: string): string | null => {
  try {
    const tag = Intl.getCanonicalLocales(language.split(/[@.]/, 1)[0]?.replaceAll('_', '-'))[0] ?? null
    return tag !== null && Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? tag : null
  } catch {
    return null
  }
}
