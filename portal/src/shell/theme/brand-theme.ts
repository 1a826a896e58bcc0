import { type BrandColours, isDark, themeOf } from './theme.ts'

const MEMORY = 'brand_colours'
const DARK = '(prefers-color-scheme: dark)'

let colours: BrandColours | null = null

/**
 * Puts a brand's colours on the page, as custom properties of the root element, and keeps them in step with the system's
 * light or dark scheme. Set through the CSS object model: the content security policy allows no style attributes.
 */
export const applyBrand = (brand: BrandColours): void => {
  if (colours === null) matchMedia(DARK).addEventListener('change', paint)
  const { colour1, colour2, colour3, colour4, colour5, colour6, colour7 } = brand
  colours = { colour1, colour2, colour3, colour4, colour5, colour6, colour7 }
  remember(colours)
  paint()
}

/** Paints the colours that this tab showed last, before the brand is loaded again: no change of colours on the way in. */
export const applyRememberedBrand = (): void => {
  const last = remembered()
  if (last !== null) applyBrand(last)
}

const paint = (): void => {
  if (colours === null) return
  const theme = themeOf(colours, matchMedia(DARK).matches ? 'dark' : 'light')
  const { style } = document.documentElement
  for (const [property, value] of Object.entries(theme)) style.setProperty(property, value)
  style.setProperty('color-scheme', isDark(theme) ? 'dark' : 'light')
}

/** A browser may refuse storage; the page then starts in the default colours. */
const remember = (brand: BrandColours): void => {
  try {
    sessionStorage.setItem(MEMORY, JSON.stringify(brand))
  } catch {
    // Nothing is lost: the brand is loaded again anyway.
  }
}

const remembered = (): BrandColours | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(MEMORY) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as BrandColours) : null
  } catch {
    return null
  }
}
