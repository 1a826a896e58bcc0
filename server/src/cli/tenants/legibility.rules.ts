import { contrast } from '@counterfoil/contract/kit/colour/colour'
import { CONTROL_CONTRAST, TEXT_CONTRAST, needsDarkText } from '@counterfoil/contract/kit/colour/contrast'
import { OperatorError } from '../../kit/api-error.ts'

/** The colours of a brand that text and controls are drawn in (portal/src/shell/theme/theme.ts). */
export interface BrandColours {
  readonly colour1: string
  readonly colour2: string
  readonly colour3: string
  readonly colour5: string
  readonly colour6: string
}

/** Pairs of foreground and background with their minimum contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS = [
  ['colour3', 'colour1', TEXT_CONTRAST, 'text', 'the surface'],
  ['colour3', 'colour5', TEXT_CONTRAST, 'text', 'the page'],
  ['colour3', 'colour6', TEXT_CONTRAST, 'text', 'the fill'],
  ['colour2', 'colour1', CONTROL_CONTRAST, 'buttons and links', 'the surface'],
  ['colour2', 'colour5', CONTROL_CONTRAST, 'buttons and links', 'the page'],
] as const

/**
 * Whether the portal inverts one of these colours on a dark surface, so that their contrast does not count.
 * Dark text becomes light there, and light backgrounds become dark.
 */
const isInverted = (colours: BrandColours, ink: keyof BrandColours, ground: keyof BrandColours): boolean =>
  !needsDarkText(colours.colour1) && ((ink === 'colour3' && !needsDarkText(colours.colour3)) || needsDarkText(colours[ground]))

/**
 * Rejects colours without enough contrast: the portal would adjust them, and the brand would not look as intended.
 * @throws OperatorError that names every pair with its contrast and the minimum
 */
export const assertLegible = (colours: BrandColours): void => {
  const faults = PAIRS.flatMap(([ink, ground, minContrast, what, where]) => {
    const found = contrast(colours[ink], colours[ground])
    if (found >= minContrast || isInverted(colours, ink, ground)) return []
    const ratio = Math.floor(found * 100) / 100
    return [`  --${ink} ${colours[ink]} (${what}) on --${ground} ${colours[ground]} (${where}): ${ratio} : 1, needs ${minContrast} : 1`]
  })
  if (faults.length > 0) throw new OperatorError(['These colours cannot be read together:', ...faults, 'Nothing was changed.'].join('\n'))
}
