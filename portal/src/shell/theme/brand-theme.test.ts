import { beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_COLOURS } from './theme.ts'

const RED_BRAND = { ...DEFAULT_COLOURS, colour1: '#fff4f2' }

/** The system's colour scheme, whose listeners are called in the order in which they came, as a browser does. */
const scheme = { matches: false, listeners: [] as (() => void)[] }
const properties = new Map<string, string>()

const switchToDark = (): void => {
  scheme.matches = true
  for (const listener of scheme.listeners) listener()
}

beforeEach(() => {
  vi.resetModules()
  Object.assign(scheme, { matches: false, listeners: [] })
  properties.clear()
  const style = {
    setProperty: (name: string, value: string) => void properties.set(name, value),
    getPropertyValue: (name: string) => properties.get(name) ?? '',
  }
  const addEventListener = (_: string, listener: () => void): void => void scheme.listeners.push(listener)
  vi.stubGlobal('matchMedia', () => ({ matches: scheme.matches, addEventListener, removeEventListener: () => {} }))
  vi.stubGlobal('document', { documentElement: { style }, querySelectorAll: () => [] })
  vi.stubGlobal('getComputedStyle', () => style)
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} })
})

test.each(['before', 'after'])(
  '[EASE-13] who listens from %s the first brand on sees the surface of the brand, and of the scheme that follows',
  async (order) => {
    const { applyBrand, currentSurface, onSurfaceChange } = await import('./brand-theme.ts')
    const seen: string[] = []
    const listen = (): unknown => onSurfaceChange(() => seen.push(currentSurface()))
    if (order === 'before') listen()
    applyBrand(DEFAULT_COLOURS)
    if (order === 'after') listen()

    applyBrand(RED_BRAND)
    expect(seen.at(-1)).toBe(RED_BRAND.colour1)
    switchToDark()
    expect([seen.at(-1) === currentSurface(), currentSurface() === RED_BRAND.colour1]).toEqual([true, false])
  },
)
