import { type BrandColours, isDark, themeOf } from './theme.ts'

const STORAGE_KEY = 'brand_colours'
const DARK_SCHEME_QUERY = '(prefers-color-scheme: dark)'

let currentColours: BrandColours | null = null

/**
 * Puts a brand's colours on the page, as custom properties of the root element, and keeps them in step with the system's
 * light or dark scheme. Set through the CSS object model: the content security policy allows no style attributes.
 */
export const applyBrand = (brand: BrandColours): void => {
  if (currentColours === null) matchMedia(DARK_SCHEME_QUERY).addEventListener('change', applyColours)
  const { colour1, colour2, colour3, colour4, colour5, colour6, colour7 } = brand
  currentColours = { colour1, colour2, colour3, colour4, colour5, colour6, colour7 }
  storeColours(currentColours)
  applyColours()
}

/** Paints the colours that this tab showed last, before the brand is loaded again: no change of colours on the way in. */
export const applyStoredBrand = (): void => {
  const stored = storedColours()
  if (stored !== null) applyBrand(stored)
}

const applyColours = (): void => {
  if (currentColours === null) return
  const theme = themeOf(currentColours, matchMedia(DARK_SCHEME_QUERY).matches ? 'dark' : 'light')
  const { style } = document.documentElement
  for (const [property, value] of Object.entries(theme)) style.setProperty(property, value)
  style.setProperty('color-scheme', isDark(theme) ? 'dark' : 'light')
}

/** A browser may refuse storage; the page then starts in the default colours. */
const storeColours = (brand: BrandColours): void => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(brand))
  } catch {
    // Nothing is lost: the brand is loaded again anyway.
  }
}

const storedColours = (): BrandColours | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as BrandColours) : null
  } catch {
    return null
  }
}
