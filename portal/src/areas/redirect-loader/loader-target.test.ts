import { afterEach, expect, test, vi } from 'vitest'
import { FOREIGN_TARGETS } from '../../public/foreign-targets.ts'
import { loaderTarget } from './loader-target.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const targetOf = (r: string): string => {
  vi.stubGlobal('location', { origin: 'https://localhost' })
  return loaderTarget(`?r=${encodeURIComponent(r)}`)
}

test('[RL-01] the loader opens a page of this portal, with its query; anything else, itself too, is the start page', () => {
  expect(targetOf('/no-such-page?a=1')).toBe('/no-such-page?a=1')
  const targets = [
    ...FOREIGN_TARGETS,
    '/redirect-loader',
    '/redirect-loader?r=//evil.example',
    '/redirect-loader/x',
    '/a/../redirect-loader',
  ]
  expect(targets.filter((target) => targetOf(target) !== '/')).toEqual([])
})
