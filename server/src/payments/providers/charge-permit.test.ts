import { expect, test } from 'vitest'
import { addMs } from '../../kit/clock.ts'
import { mintChargePermit, openSendWindow } from './charge-permit.ts'

const START = new Date('2026-11-26T12:00:00Z')

test.each([
  ['while both clocks say so', 59_999, 59_999, true],
  ['not when the clock on the wall says that the time is over', 60_000, 0, false],
  ['not when only the monotonic clock says so: the other one stood still, or was set back', -3_600_000, 60_000, false],
])('[PAY-01] a permit to charge is valid %s', (_when, clockMs, elapsedMs, isValid) => {
  let [now, elapsed] = [START, 1_000]
  const permit = mintChargePermit(
    openSendWindow(
      () => now,
      60_000,
      () => elapsed,
    ),
  )
  now = addMs(START, clockMs)
  elapsed += elapsedMs
  expect(permit.isValid()).toBe(isValid)
})
