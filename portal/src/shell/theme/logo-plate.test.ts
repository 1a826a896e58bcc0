import { expect, test } from 'vitest'
import { choosePlate } from './logo-plate.ts'

const DARK = '#171b23'
const NAVY = Array.from({ length: 80 }, () => '#0b1f4a')
const ORANGE = Array.from({ length: 20 }, () => '#f08a24')

test('[EASE-13] a dark logo gets a light plate in the dark scheme, and none in the light one', () => {
  expect([choosePlate([...NAVY, ...ORANGE], DARK), choosePlate([...NAVY, ...ORANGE], '#ffffff')]).toEqual(['#ffffff', ''])
})

test('[EASE-13] a white logo gets a dark plate on white, and none in the dark scheme', () => {
  const white = Array.from({ length: 50 }, () => '#ffffff')
  expect([choosePlate(white, '#ffffff'), choosePlate(white, DARK)]).toEqual(['#12161d', ''])
})

test('[EASE-13] a small part that is lost, and a picture without ink, need no plate', () => {
  expect([choosePlate([...ORANGE, ...ORANGE, ...ORANGE, '#0b1f4a'], DARK), choosePlate([], DARK)]).toEqual(['', ''])
})

test('[EASE-13] where no plate is better than the ground, none is laid', () => {
  expect(choosePlate(['#ffffff', '#12161d', '#ffffff', '#12161d'], '#ffffff')).toBe('')
})
