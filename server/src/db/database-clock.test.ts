import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { openLog } from '../kit/log.ts'
import { testContext } from '../../test/support/test-app.ts'
import { startDatabaseClock } from './database-clock.ts'

const context = await testContext()
afterAll(() => context.close())
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000

test.each([10, -10])('[PAY-01] a server whose own clock is %i minutes off keeps the database’s time', async (minutes) => {
  const trueTime = performance.timeOrigin + performance.now()
  vi.useFakeTimers({ now: trueTime + minutes * MINUTE_MS, toFake: ['Date'] })
  const { clock, stop } = await startDatabaseClock(context.store, openLog('silent'))
  const elapsed = performance.timeOrigin + performance.now() - trueTime
  expect(Math.abs(clock().getTime() - trueTime)).toBeLessThan(elapsed + MINUTE_MS / 2)
  stop()
})

test('[PAY-01] a clock that agrees with the database’s is left alone', async () => {
  const { clock, stop } = await startDatabaseClock(context.store, openLog('silent'))
  const before = Date.now()
  const now = clock().getTime()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
  stop()
})
