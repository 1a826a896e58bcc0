import { contrast, hexOf, luminance, oklchOf } from './colour.ts'

/** What WCAG 2.2 asks for text (1.4.3) and for controls and graphics (1.4.11). */
export const TEXT_CONTRAST = 4.5
export const CONTROL_CONTRAST = 3

/** The luminance at which black and white ink read equally well. */
const MIDDLE_LUMINANCE = 0.179

/** Is dark ink the better one on this colour? */
export const needsDarkText = (background: string): boolean => luminance(background) > MIDDLE_LUMINANCE

const lowestContrast = (colour: string, backgrounds: readonly string[]): number =>
  Math.min(...backgrounds.map((background) => contrast(colour, background)))

/**
 * A colour with at least `least` contrast to each background: itself where it has, else darkened or lightened just enough,
 * its hue kept. The backgrounds must all want the same ink (see `backgroundFor`).
 */
export const ensureContrast = (colour: string, backgrounds: readonly string[], least: number): string => {
  if (lowestContrast(colour, backgrounds) >= least) return colour
  const { l, c, h } = oklchOf(colour)
  const end = backgrounds.every(needsDarkText) ? 0 : 1
  // Between a lightness that surely reads (the end) and one that does not: halve until the eye sees no step.
  let [reads, fails] = [end, Math.abs(end - l) < 0.001 ? 1 - end : l]
  for (let step = 0; step < 14; step += 1) {
    const middle = (reads + fails) / 2
    if (lowestContrast(hexOf({ l: middle, c, h }), backgrounds) >= least) reads = middle
    else fails = middle
  }
  return hexOf({ l: reads, c, h })
}

/**
 * A background for the same ink as `surface` has: itself where the two agree, else moved just over the middle, its hue kept.
 * So that one text colour reads on all of them.
 */
export const backgroundFor = (colour: string, surface: string): string => {
  const ink = needsDarkText(surface) ? '#000000' : '#ffffff'
  return needsDarkText(colour) === needsDarkText(surface) ? colour : ensureContrast(colour, [ink], TEXT_CONTRAST + 0.1)
}

/** The ink for text on a brand's colour: white where it reads, else a near-black of the same hue, else black. */
export const textColourOn = (colour: string): string => {
  if (contrast('#ffffff', colour) >= TEXT_CONTRAST) return '#ffffff'
  const { c, h } = oklchOf(colour)
  const dark = hexOf({ l: 0.22, c: Math.min(c, 0.06), h })
  return ensureContrast(dark, [colour], TEXT_CONTRAST)
}
