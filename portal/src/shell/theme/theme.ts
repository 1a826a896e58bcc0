import { hexOf, isHex, mixColours, type Oklch, oklchOf } from '@counterfoil/contract/kit/colour/colour'
import {
  backgroundFor,
  CONTROL_CONTRAST,
  textColourOn,
  ensureContrast,
  TEXT_CONTRAST,
  needsDarkText,
} from '@counterfoil/contract/kit/colour/contrast'

export type Scheme = 'light' | 'dark'

/** The seven colours of a brand, "#rrggbb" each. */
export interface BrandColours {
  readonly colour1: string
  readonly colour2: string
  readonly colour3: string
  readonly colour4: string
  readonly colour5: string
  readonly colour6: string
  readonly colour7: string
}

/** Used for colours that a brand lacks or that cannot be parsed. tokens.css has the theme that they make. */
export const DEFAULT_COLOURS: BrandColours = {
  colour1: '#ffffff',
  colour2: '#1f5fd6',
  colour3: '#1d2733',
  colour4: '#d9e0e8',
  colour5: '#f4f7fa',
  colour6: '#e8f0fd',
  colour7: '#4c8df5',
}

interface ColourRoles {
  readonly surface: string
  readonly primary: string
  readonly text: string
  readonly line: string
  readonly page: string
  readonly fill: string
  readonly series: string
}

/** Every colour that components may use, by its custom property. */
export type Theme = Readonly<
  Record<
    | `--${keyof ColourRoles}`
    | '--muted'
    | '--on-primary'
    | '--on-surface-primary'
    | '--focus'
    | '--control-line'
    | '--good'
    | '--good-fill'
    | '--warn'
    | '--warn-fill'
    | '--bad'
    | '--bad-fill',
    string
  >
>

/** Lines only have to be visible. */
const LINE_CONTRAST = 1.2

/** Colours below this chroma count as grey. */
const MIN_CHROMA = 0.002

/** Status colours are the same for every brand. */
const STATUS_HUES = {
  good: { text: '#14743c', fill: '#1fae5f' },
  warn: { text: '#8a5a00', fill: '#f5b301' },
  bad: { text: '#b3261e', fill: '#f0524a' },
} as const

/**
 * The theme of a brand in a colour scheme.
 *
 * The light scheme uses the seven colours as they are; the dark one keeps their hues and inverts lightness. A brand with a
 * dark surface looks the same in both: its light backgrounds become as dark as that surface.
 *
 * For any seven colours, text, muted text and links have a contrast of at least 4.5:1 on surface, page and fill, as has text on
 * the primary colour and on the status fills; controls, focus, series and control lines have at least 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
 */
export const themeOf = (colours: BrandColours, scheme: Scheme): Theme => {
  const roles = rolesOf(colours)
  if (!needsDarkText(roles.surface)) return toReadableTheme(adaptToDarkSurface(roles))
  return toReadableTheme(scheme === 'dark' ? toDarkScheme(roles) : roles)
}

/** Is this theme dark? A brand with a dark surface is dark in both schemes. */
export const isDark = (theme: Theme): boolean => !needsDarkText(theme['--surface'])

/** What each of the brand's colours is for; the default one where a colour is missing or no "#rrggbb". */
const rolesOf = (colours: BrandColours): ColourRoles => {
  const colourAt = (name: keyof BrandColours): string => (isHex(colours[name]) ? colours[name].toLowerCase() : DEFAULT_COLOURS[name])
  return {
    surface: colourAt('colour1'),
    primary: colourAt('colour2'),
    text: colourAt('colour3'),
    line: colourAt('colour4'),
    page: colourAt('colour5'),
    fill: colourAt('colour6'),
    series: colourAt('colour7'),
  }
}

/** The dark scheme: dark backgrounds with a little of the brand's colour, light text. */
const toDarkScheme = ({ surface, primary, text, line, page, fill, series }: ColourRoles): ColourRoles => {
  const backgroundTone = (colour: string, l: number, c: number): string => hexOf({ ...withHueOf(colour, primary, c), l })
  return {
    surface: backgroundTone(surface, 0.222, 0.017),
    page: backgroundTone(page, 0.182, 0.014),
    fill: backgroundTone(fill, 0.276, 0.042),
    line: backgroundTone(line, 0.325, 0.026),
    text: withLightness(text, 0.945, 0.012),
    primary: withLightness(primary, Math.max(0.76, oklchOf(primary).l), 0.14),
    series: withLightness(series, Math.max(0.67, oklchOf(series).l), 0.16),
  }
}

/** For a dark surface whose other colours are light: moves backgrounds and lines near the surface and makes text light. Dark colours stay. */
const adaptToDarkSurface = (roles: ColourRoles): ColourRoles => {
  const { l, c, h } = oklchOf(roles.surface)
  const stepFromSurface = (colour: string, delta: number): string =>
    needsDarkText(colour) ? hexOf({ l: Math.max(0, l + delta), c: Math.min(c, 0.042), h }) : colour
  const text = needsDarkText(roles.text) ? roles.text : withLightness(roles.text, 0.945, 0.012)
  return {
    ...roles,
    text,
    page: stepFromSurface(roles.page, -0.04),
    fill: stepFromSurface(roles.fill, 0.06),
    line: stepFromSurface(roles.line, 0.11),
  }
}

/** A colour's hue at a given chroma. A grey uses the hue of the primary colour, unless that is grey too. */
const withHueOf = (colour: string, primary: string, c: number): Oklch => {
  const ownColour = oklchOf(colour)
  const { h, c: sourceChroma } = ownColour.c < MIN_CHROMA ? oklchOf(primary) : ownColour
  return { l: ownColour.l, c: sourceChroma < MIN_CHROMA ? 0 : c, h }
}

/** The colour with this lightness, and with no more than `maxChroma`. */
const withLightness = (colour: string, l: number, maxChroma: number): string => {
  const { c, h } = oklchOf(colour)
  return hexOf({ l, c: Math.min(c, maxChroma), h })
}

/** The theme of these colours, each changed as far as its contrast requires. */
const toReadableTheme = ({ surface, primary, text, line, ...rest }: ColourRoles): Theme => {
  const [page, fill] = [backgroundFor(rest.page, surface), backgroundFor(rest.fill, surface)]
  const backgrounds = [surface, page, fill]
  const textColour = ensureContrast(text, backgrounds, TEXT_CONTRAST)
  const button = ensureContrast(primary, [surface, page], CONTROL_CONTRAST)
  return {
    '--surface': surface,
    '--page': page,
    '--fill': fill,
    '--text': textColour,
    '--muted': ensureContrast(mixColours(textColour, line, 0.62), backgrounds, TEXT_CONTRAST),
    '--line': ensureContrast(line, [surface], LINE_CONTRAST),
    '--control-line': ensureContrast(line, [surface, page], CONTROL_CONTRAST),
    '--primary': button,
    '--on-primary': textColourOn(button),
    '--on-surface-primary': ensureContrast(primary, backgrounds, TEXT_CONTRAST),
    '--focus': ensureContrast(primary, backgrounds, CONTROL_CONTRAST),
    '--series': ensureContrast(rest.series, [surface, fill], CONTROL_CONTRAST),
    ...statusColours('good', surface, page),
    ...statusColours('warn', surface, page),
    ...statusColours('bad', surface, page),
  }
}

/** A status's text colour and its fill, readable on surface and page. */
const statusColours = <const N extends keyof typeof STATUS_HUES>(name: N, surface: string, page: string) => {
  const { text: textColour, fill: fillTint } = STATUS_HUES[name]
  const isLight = needsDarkText(surface)
  const fill = backgroundFor(mixColours(fillTint, surface, isLight ? 0.14 : 0.17), surface)
  const statusText = ensureContrast(isLight ? textColour : withLightness(fillTint, 0.82, 0.12), [fill, surface, page], TEXT_CONTRAST)
  return { [`--${name}`]: statusText, [`--${name}-fill`]: fill } as Record<`--${N}` | `--${N}-fill`, string>
}
