import { expect, test } from 'vitest'
import { RESELLERS } from '../resellers/resellers.ts'

/** Relative luminance and contrast as WCAG 2.2 defines them. */
const luminance = (hex: string): number => {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}
const contrast = (one: string, other: string): number => {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

test.each(RESELLERS.map(({ name, brand }) => [name, brand] as const))(
  '[BRAND-01] the logo of %s reads on white paper, on its own header and in the dark scheme',
  (_name, { logo, colours }) => {
    for (const surface of ['#ffffff', '#151b23', colours[0]]) expect(contrast(logo.ink, surface), surface).toBeGreaterThanOrEqual(3)
  },
)
