import { contrast, hexOf, luminance, oklchOf } from './colour.ts'

/** The contrasts that WCAG 2.2 requires for text (1.4.3) and for controls and graphics (1.4.11). */
export const TEXT_CONTRAST = 4.5
export const CONTROL_CONTRAST = 3

/** The luminance on which black and white text have the same contrast. */
const MIDDLE_LUMINANCE = 0.179

/** Whether dark text has more contrast on this colour than light text. */
export const needsDarkText = (background: string): boolean => luminance(background) > MIDDLE_LUMINANCE

/** The contrast to the background that the colour stands out from least. */
const lowestContrast = (colour: string, backgrounds: readonly string[]): number =>
  Math.min(...backgrounds.map((background) => contrast(colour, background)))

/**
 * Returns the colour if it has at least `minContrast` contrast to each background, else darkens or lightens it just enough and keeps its
 * hue. The backgrounds must all need dark text or all need light text (see `backgroundFor`).
 */
export const ensureContrast = (colour: string, backgrounds: readonly string[], minContrast: number): string => {
  if (lowestContrast(colour, backgrounds) >= minContrast) return colour
  const { l, c, h } = oklchOf(colour)
  const end = backgrounds.every(needsDarkText) ? 0 : 1
  // Bisect between a lightness with enough contrast (the end) and one without, until the difference is invisible.
  let [reads, fails] = [end, Math.abs(end - l) < 0.001 ? 1 - end : l]
  for (let step = 0; step < 14; step += 1) {
    const middle = (reads + fails) / 2
    if (lowestContrast(hexOf({ l: middle, c, h }), backgrounds) >= minContrast) reads = middle
    else fails = middle
  }
  return hexOf({ l: reads, c, h })
}

/**
 * Returns the colour if it needs the same text colour as `surface`, else darkens or lightens it until it does and keeps its hue, so that
 * one text colour is legible on both.
 */
export const backgroundFor = (colour: string, surface: string): string => {
  const ink = needsDarkText(surface) ? '#000000' : '#ffffff'
  return needsDarkText(colour) === needsDarkText(surface) ? colour : ensureContrast(colour, [ink], TEXT_CONTRAST + 0.1)
}

/** The text colour on a brand's colour: white if its contrast suffices, else a near-black of the same hue, else black. */
export const textColourOn = (colour: string): string => {
  if (contrast('#ffffff', colour) >= TEXT_CONTRAST) return '#ffffff'
  const { c, h } = oklchOf(colour)
  const dark = hexOf({ l: 0.22, c: Math.min(c, 0.06), h })
  return ensureContrast(dark, [colour], TEXT_CONTRAST)
}
