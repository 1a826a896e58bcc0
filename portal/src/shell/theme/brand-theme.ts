import { type BrandColours, isDark, themeOf } from './theme.ts'

const STORAGE_KEY = 'brand_colours'
const DARK_SCHEME_QUERY = '(prefers-color-scheme: dark)'

let currentColours: BrandColours | null = null
const surfaceListeners = new Set<() => void>()

/**
 * Sets a brand's colours as custom properties of the root element, and again when the system's colour scheme changes; stores them for this
 * tab.
 */
export const applyBrand = (brand: BrandColours): void => {
  if (currentColours === null) matchMedia(DARK_SCHEME_QUERY).addEventListener('change', applyColours)
  const { colour1, colour2, colour3, colour4, colour5, colour6, colour7 } = brand
  currentColours = { colour1, colour2, colour3, colour4, colour5, colour6, colour7 }
  storeColours(currentColours)
  applyColours()
}

/** Applies the colours that this tab showed last, from its session storage, so that they do not change while the brand loads. */
export const applyStoredBrand = (): void => {
  const stored = storedColours()
  if (stored !== null) applyBrand(stored)
}

/** Writes the theme of the current colours and the system's scheme into the document, and tells those who watch the surface. */
const applyColours = (): void => {
  if (currentColours === null) return
  const theme = themeOf(currentColours, matchMedia(DARK_SCHEME_QUERY).matches ? 'dark' : 'light')
  const { style } = document.documentElement
  for (const [property, value] of Object.entries(theme)) style.setProperty(property, value)
  style.setProperty('color-scheme', isDark(theme) ? 'dark' : 'light')
  for (const meta of document.querySelectorAll('meta[name=theme-color]')) meta.setAttribute('content', theme['--surface'])
  for (const notify of surfaceListeners) notify()
}

/** The colour of header and surfaces that the document has now, "#rrggbb". */
export const currentSurface = (): string => getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()

/**
 * Calls `onChange` after the surface may have changed: by a brand, or by the system's colour scheme.
 * @returns a function that stops listening
 */
export const onSurfaceChange = (onChange: () => void): (() => void) => {
  const media = matchMedia(DARK_SCHEME_QUERY)
  media.addEventListener('change', onChange)
  surfaceListeners.add(onChange)
  return () => {
    media.removeEventListener('change', onChange)
    surfaceListeners.delete(onChange)
  }
}

/** Stores the colours in this tab's session storage. The browser may block storage: later pages then start in the default colours. */
const storeColours = (brand: BrandColours): void => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(brand))
  } catch {
    // The brand is loaded anyway.
  }
}

/** The colours in this tab's session storage; null without any. */
const storedColours = (): BrandColours | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as BrandColours) : null
  } catch {
    return null
  }
}
