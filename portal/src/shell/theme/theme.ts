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

/** The seven colours of a brand, "#rrggbb" each (portal.md §1, BrandSettings of the contract). */
export interface BrandColours {
  readonly colour1: string
  readonly colour2: string
  readonly colour3: string
  readonly colour4: string
  readonly colour5: string
  readonly colour6: string
  readonly colour7: string
}

/** What stands in for a colour that a brand lacks or writes wrongly. tokens.css holds the theme that these make. */
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

/** Every colour that a component may use, by the name of its custom property. */
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

/** Hairlines need not be read, only seen. */
const LINE_CONTRAST = 1.2

/** Below this chroma the eye sees no hue. */
const MIN_CHROMA = 0.002

/** Meanings have hues of their own, whatever the brand's. */
const STATUS_HUES = {
  good: { ink: '#14743c', glow: '#1fae5f' },
  warn: { ink: '#8a5a00', glow: '#f5b301' },
  bad: { ink: '#b3261e', glow: '#f0524a' },
} as const

/**
 * The colours of the screen for a brand in a scheme.
 *
 * The light scheme takes the seven as they are; the dark one keeps their hues and turns light and dark round. A brand with a dark
 * surface looks the same in both: its light grounds come down to that surface.
 *
 * Whatever the seven are: text, muted text and links have at least 4.5:1 on surface, page and fill, text on the primary colour and
 * on the good, warn and bad fills too; controls, focus, series and control lines at least 3:1.
 *
 * Source: design/look.md (Brand colours have roles); WCAG 2.2, 1.4.3 and 1.4.11.
 */
export const themeOf = (colours: BrandColours, scheme: Scheme): Theme => {
  const roles = rolesOf(colours)
  if (!needsDarkText(roles.surface)) return toReadableTheme(adaptToDarkSurface(roles))
  return toReadableTheme(scheme === 'dark' ? toDarkScheme(roles) : roles)
}

/** Is this theme a dark one? A dark brand has a dark look in both schemes. */
export const isDark = (theme: Theme): boolean => !needsDarkText(theme['--surface'])

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

/** The same hues at night: dark grounds with a breath of the brand's colour, bright inks. */
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

/** A dark surface whose other colours were meant for light paper: grounds and lines a step from it, bright ink. What is dark already stays. */
const adaptToDarkSurface = (roles: ColourRoles): ColourRoles => {
  const { l, c, h } = oklchOf(roles.surface)
  const stepFromSurface = (colour: string, step: number): string =>
    needsDarkText(colour) ? hexOf({ l: Math.max(0, l + step), c: Math.min(c, 0.042), h }) : colour
  const text = needsDarkText(roles.text) ? roles.text : withLightness(roles.text, 0.945, 0.012)
  return {
    ...roles,
    text,
    page: stepFromSurface(roles.page, -0.04),
    fill: stepFromSurface(roles.fill, 0.06),
    line: stepFromSurface(roles.line, 0.11),
  }
}

/** The hue of a ground at a given chroma. A grey has no hue to keep: it borrows the primary's, if that is not a grey too. */
const withHueOf = (colour: string, primary: string, c: number): Oklch => {
  const colourValues = oklchOf(colour)
  const { h, c: sourceChroma } = colourValues.c < MIN_CHROMA ? oklchOf(primary) : colourValues
  return { l: colourValues.l, c: sourceChroma < MIN_CHROMA ? 0 : c, h }
}

const withLightness = (colour: string, l: number, maxChroma: number): string => {
  const { c, h } = oklchOf(colour)
  return hexOf({ l, c: Math.min(c, maxChroma), h })
}

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

const statusColours = <const N extends keyof typeof STATUS_HUES>(name: N, surface: string, page: string) => {
  const { ink: textColour, glow: fillTint } = STATUS_HUES[name]
  const isLight = needsDarkText(surface)
  const fill = backgroundFor(mixColours(fillTint, surface, isLight ? 0.14 : 0.17), surface)
  const statusText = ensureContrast(isLight ? textColour : withLightness(fillTint, 0.82, 0.12), [fill, surface, page], TEXT_CONTRAST)
  return { [`--${name}`]: statusText, [`--${name}-fill`]: fill } as Record<`--${N}` | `--${N}-fill`, string>
}
