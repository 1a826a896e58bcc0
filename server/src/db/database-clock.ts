import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { addMs, type Clock, systemClock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Store } from './database.ts'

const MEASURE_EVERY_MS = 10_000
/** Less is not corrected: machines that keep their time by NTP differ by less, and a clock that is corrected all the time runs unevenly. */
const TOLERANCE_MS = 500
const WARNING_MS = 5_000

/** A clock that keeps the database's time. */
export interface DatabaseClock {
  readonly clock: Clock
  stop(): void
}

/**
 * Starts a clock that keeps the database's time, measured now and every MEASURE_EVERY_MS, so that all servers have the same one.
 * A server whose own clock runs ahead would look up payments that others are still sending, and take their jobs.
 */
export const startDatabaseClock = async (store: Store, log: Log): Promise<DatabaseClock> => {
  let offsetMs = 0
  const measure = async (): Promise<void> => {
    const measured = await measureOffset(store)
    if (Math.abs(measured.offsetMs - offsetMs) <= TOLERANCE_MS + measured.uncertaintyMs) return
    offsetMs = measured.offsetMs
    if (Math.abs(offsetMs) > WARNING_MS)
      log.warn({ offsetMs: Math.round(offsetMs) }, 'the clock of this machine differs from the database’s, whose time is used; use NTP')
  }
  await measure()
  const stopping = new AbortController()
  void measureRepeatedly(measure, stopping.signal)
  return { clock: () => addMs(systemClock(), offsetMs), stop: () => stopping.abort() }
}

/**
 * Measures every MEASURE_EVERY_MS until the signal aborts. A measurement that fails is not reported: the last offset stays.
 * Whoever needs the database reports that it is lost.
 */
const measureRepeatedly = async (measure: () => Promise<void>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await setTimeout(MEASURE_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined)
    if (!signal.aborted) await measure().catch(() => undefined)
  }
}

/** By how much the database is ahead of this machine, and how wrong that may be, in milliseconds. */
const measureOffset = async (store: Store): Promise<{ offsetMs: number; uncertaintyMs: number }> => {
  const askedAt = systemClock().getTime()
  const { rows } = await store.transact({ role: 'counterfoil_system' }, (db) =>
    sql<{ now: Date }>`select clock_timestamp() as now`.execute(db),
  )
  const answeredAt = systemClock().getTime()
  const middle = (askedAt + answeredAt) / 2
  return { offsetMs: (rows[0]?.now.getTime() ?? middle) - middle, uncertaintyMs: Math.abs(answeredAt - askedAt) / 2 }
}
