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

interface Roles {
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
    | `--${keyof Roles}`
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
const GREY = 0.002

/** Meanings have hues of their own, whatever the brand's. */
const MEANINGS = {
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
  const given = rolesOf(colours)
  if (!needsDarkText(given.surface)) return readable(besideDark(given))
  return readable(scheme === 'dark' ? darkened(given) : given)
}

/** Is this theme a dark one? A dark brand has a dark look in both schemes. */
export const isDark = (theme: Theme): boolean => !needsDarkText(theme['--surface'])

const rolesOf = (colours: BrandColours): Roles => {
  const at = (name: keyof BrandColours): string => (isHex(colours[name]) ? colours[name].toLowerCase() : DEFAULT_COLOURS[name])
  return {
    surface: at('colour1'),
    primary: at('colour2'),
    text: at('colour3'),
    line: at('colour4'),
    page: at('colour5'),
    fill: at('colour6'),
    series: at('colour7'),
  }
}

/** The same hues at night: dark grounds with a breath of the brand's colour, bright inks. */
const darkened = ({ surface, primary, text, line, page, fill, series }: Roles): Roles => {
  const ground = (colour: string, l: number, c: number): string => hexOf({ ...tinted(colour, primary, c), l })
  return {
    surface: ground(surface, 0.222, 0.017),
    page: ground(page, 0.182, 0.014),
    fill: ground(fill, 0.276, 0.042),
    line: ground(line, 0.325, 0.026),
    text: toned(text, 0.945, 0.012),
    primary: toned(primary, Math.max(0.76, oklchOf(primary).l), 0.14),
    series: toned(series, Math.max(0.67, oklchOf(series).l), 0.16),
  }
}

/** A dark surface whose other colours were meant for light paper: grounds and lines a step from it, bright ink. What is dark already stays. */
const besideDark = (given: Roles): Roles => {
  const { l, c, h } = oklchOf(given.surface)
  const near = (colour: string, step: number): string =>
    needsDarkText(colour) ? hexOf({ l: Math.max(0, l + step), c: Math.min(c, 0.042), h }) : colour
  const text = needsDarkText(given.text) ? given.text : toned(given.text, 0.945, 0.012)
  return { ...given, text, page: near(given.page, -0.04), fill: near(given.fill, 0.06), line: near(given.line, 0.11) }
}

/** The hue of a ground at a given chroma. A grey has no hue to keep: it borrows the primary's, if that is not a grey too. */
const tinted = (colour: string, primary: string, c: number): Oklch => {
  const own = oklchOf(colour)
  const { h, c: has } = own.c < GREY ? oklchOf(primary) : own
  return { l: own.l, c: has < GREY ? 0 : c, h }
}

const toned = (colour: string, l: number, mostChroma: number): string => {
  const { c, h } = oklchOf(colour)
  return hexOf({ l, c: Math.min(c, mostChroma), h })
}

const readable = ({ surface, primary, text, line, ...rest }: Roles): Theme => {
  const [page, fill] = [backgroundFor(rest.page, surface), backgroundFor(rest.fill, surface)]
  const grounds = [surface, page, fill]
  const ink = ensureContrast(text, grounds, TEXT_CONTRAST)
  const button = ensureContrast(primary, [surface, page], CONTROL_CONTRAST)
  return {
    '--surface': surface,
    '--page': page,
    '--fill': fill,
    '--text': ink,
    '--muted': ensureContrast(mixColours(ink, line, 0.62), grounds, TEXT_CONTRAST),
    '--line': ensureContrast(line, [surface], LINE_CONTRAST),
    '--control-line': ensureContrast(line, [surface, page], CONTROL_CONTRAST),
    '--primary': button,
    '--on-primary': textColourOn(button),
    '--on-surface-primary': ensureContrast(primary, grounds, TEXT_CONTRAST),
    '--focus': ensureContrast(primary, grounds, CONTROL_CONTRAST),
    '--series': ensureContrast(rest.series, [surface, fill], CONTROL_CONTRAST),
    ...meaning('good', surface, page),
    ...meaning('warn', surface, page),
    ...meaning('bad', surface, page),
  }
}

const meaning = <const N extends keyof typeof MEANINGS>(name: N, surface: string, page: string) => {
  const { ink, glow } = MEANINGS[name]
  const light = needsDarkText(surface)
  const fill = backgroundFor(mixColours(glow, surface, light ? 0.14 : 0.17), surface)
  const read = ensureContrast(light ? ink : toned(glow, 0.82, 0.12), [fill, surface, page], TEXT_CONTRAST)
  return { [`--${name}`]: read, [`--${name}-fill`]: fill } as Record<`--${N}` | `--${N}-fill`, string>
}
