import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, hexOf, oklchOf } from '@counterfoil/contract/kit/colour/colour'
import { type BrandColours, DEFAULT_COLOURS, type Scheme, type Theme, themeOf } from './theme.ts'

const SCHEMES: readonly Scheme[] = ['light', 'dark']

const TEXT: readonly (readonly [keyof Theme, keyof Theme])[] = [
  ['--text', '--surface'],
  ['--text', '--page'],
  ['--text', '--fill'],
  ['--muted', '--surface'],
  ['--muted', '--page'],
  ['--muted', '--fill'],
  ['--on-surface-primary', '--surface'],
  ['--on-surface-primary', '--page'],
  ['--on-surface-primary', '--fill'],
  ['--on-primary', '--primary'],
  ['--good', '--good-fill'],
  ['--good', '--surface'],
  ['--warn', '--warn-fill'],
  ['--warn', '--surface'],
  ['--bad', '--bad-fill'],
  ['--bad', '--surface'],
]

const CONTROLS: readonly (readonly [keyof Theme, keyof Theme])[] = [
  ['--series', '--surface'],
  ['--series', '--fill'],
  ['--control-line', '--surface'],
  ['--control-line', '--page'],
  ['--primary', '--surface'],
  ['--focus', '--surface'],
  ['--focus', '--page'],
  ['--focus', '--fill'],
]

const tooFaint = (theme: Theme, pairs: readonly (readonly [keyof Theme, keyof Theme])[], minContrast: number): string[] =>
  pairs.filter(([ink, ground]) => contrast(theme[ink], theme[ground]) < minContrast).map(([ink, ground]) => `${ink} on ${ground}`)

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const edge = fc.constantFrom('#000000', '#ffffff', '#767676', '#777777', '#808080', '#ffff00', '#0000ff', '#00ff00')
const colour = fc.oneof({ weight: 3, arbitrary: hex }, { weight: 1, arbitrary: edge })
const brand: fc.Arbitrary<BrandColours> = fc.record({
  colour1: colour,
  colour2: colour,
  colour3: colour,
  colour4: colour,
  colour5: colour,
  colour6: colour,
  colour7: colour,
})

test('[BRAND-01] for any seven colours, all text has 4.5:1 and all controls 3:1, in both schemes', () => {
  fc.assert(
    fc.property(brand, fc.constantFrom(...SCHEMES), (colours, scheme) => {
      const theme = themeOf(colours, scheme)
      expect([...tooFaint(theme, TEXT, 4.5), ...tooFaint(theme, CONTROLS, 3)]).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

test('[BRAND-01] colours with enough contrast are used as they are', () => {
  const theme = themeOf(DEFAULT_COLOURS, 'light')
  expect(theme).toMatchObject({
    '--surface': DEFAULT_COLOURS.colour1,
    '--primary': DEFAULT_COLOURS.colour2,
    '--on-surface-primary': DEFAULT_COLOURS.colour2,
    '--text': DEFAULT_COLOURS.colour3,
    '--line': DEFAULT_COLOURS.colour4,
    '--page': DEFAULT_COLOURS.colour5,
    '--fill': DEFAULT_COLOURS.colour6,
  })
})

test('[BRAND-01] a colour with too little contrast is darkened just enough and keeps its hue', () => {
  const theme = themeOf({ ...DEFAULT_COLOURS, colour2: '#ffb300' }, 'light')
  const link = theme['--on-surface-primary']
  const worst = Math.min(...(['--surface', '--page', '--fill'] as const).map((ground) => contrast(link, theme[ground])))
  expect(worst).toBeGreaterThanOrEqual(4.5)
  expect(worst).toBeLessThan(4.6)
  expect(Math.abs(oklchOf(link).h - oklchOf('#ffb300').h)).toBeLessThan(0.05)
})

test('[BRAND-01] a dark brand has the same theme in both schemes', () => {
  const night = { ...DEFAULT_COLOURS, colour1: '#14101f', colour3: '#efeaff', colour5: '#0d0a16', colour6: '#241b3a' }
  expect(themeOf(night, 'dark')).toEqual(themeOf(night, 'light'))
  expect(themeOf(night, 'dark')['--surface']).toBe('#14101f')
})

test('[BRAND-01] an invalid colour is replaced by the default one', () => {
  const broken = { ...DEFAULT_COLOURS, colour2: 'url(//evil.example)', colour7: '' }
  expect(themeOf(broken, 'light')).toEqual(themeOf(DEFAULT_COLOURS, 'light'))
})

test('[BRAND-01] tokens.css has the theme of the default colours', () => {
  const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
  for (const scheme of SCHEMES) {
    const block = scheme === 'light' ? css.slice(0, css.indexOf('@media')) : css.slice(css.indexOf('prefers-color-scheme: dark'))
    const written = Object.keys(themeOf(DEFAULT_COLOURS, scheme)).map((name) => [
      name,
      new RegExp(`${name}: (#[0-9a-f]{6});`).exec(block)?.[1],
    ])
    expect(Object.fromEntries(written)).toEqual(themeOf(DEFAULT_COLOURS, scheme))
  }
})

test('a colour converted to OKLCH and back is the same colour', () => {
  fc.assert(
    fc.property(hex, (value) => {
      expect(hexOf(oklchOf(value))).toBe(value)
    }),
  )
})
