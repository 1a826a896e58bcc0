import type pg from 'pg'
import type { DbRole } from '../database.ts'
import { UsageUnreachable } from '../lost-connection.ts'
import { usageWorkers } from './usage-workers.ts'

/** How long somebody waits for a place, and how long a place is held without an answer until its worker is taken to hang. */
const MAX_WAIT_MS = 3_000
/** More than these are not kept waiting for one worker: each of them is a request in hand. */
const MAX_WAITING = 16
const GONE_CHECK_MS = 2_000

/** The connections that one worker may keep waiting in one pool. */
interface Places {
  /** Since when each place has been held, in ms of performance.now(). */
  readonly heldSince: Set<{ readonly since: number }>
  readonly waiting: Set<() => void>
}

/** Gives connections of a pool for what reads or writes usage, of which one worker may keep a third waiting. */
export interface UsagePlaces {
  /**
   * A connection for usage as this role. Once it has been held for `limitMs` it is given up: a worker that hangs cannot be told to stop.
   * @throws UsageUnreachable when the worker seems to hang, or too many wait for it
   */
  connect(pool: pg.Pool, as: DbRole, limitMs: number): Promise<pg.PoolClient>
}

/** @param urgent the pool over which PostgreSQL is asked where a customer's usage is, and whether it still works for a given-up connection */
export const createUsagePlaces = (urgent: pg.Pool): UsagePlaces => {
  const workerOf = usageWorkers(urgent)
  const placesOf = new Map<pg.Pool, Map<string, Places>>()

  const take = async (pool: pg.Pool, worker: string): Promise<() => void> => {
    const places = placesIn(placesOf, pool, worker)
    const maxHeld = Math.max(1, Math.floor((pool.options.max ?? 0) / 3))
    if (places.heldSince.size >= maxHeld) await waitForPlace(places)
    const place = { since: performance.now() }
    places.heldSince.add(place)
    return () => {
      places.heldSince.delete(place)
      const [next] = places.waiting
      next?.()
    }
  }

  return {
    connect: async (pool, as, limitMs) => {
      const leave = await take(pool, 'customerId' in as ? await workerOf(as.customerId) : 'every worker')
      try {
        return holdPlace(await pool.connect(), limitMs, leave, urgent)
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

const placesIn = (placesOf: Map<pg.Pool, Map<string, Places>>, pool: pg.Pool, worker: string): Places => {
  const ofPool = placesOf.get(pool) ?? new Map<string, Places>()
  placesOf.set(pool, ofPool)
  const places = ofPool.get(worker) ?? { heldSince: new Set(), waiting: new Set() }
  ofPool.set(worker, places)
  return places
}

/** Resolves when a place was left. @throws UsageUnreachable when the worker seems to hang, or too many wait */
const waitForPlace = async ({ heldSince, waiting }: Places): Promise<void> => {
  const oldest = performance.now() - MAX_WAIT_MS
  const seemsToHang = [...heldSince].every(({ since }) => since < oldest)
  if (seemsToHang || waiting.size >= MAX_WAITING) throw new UsageUnreachable()
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = (settle: () => void) => (): void => {
      clearTimeout(timer)
      waiting.delete(goOn)
      settle()
    }
    const goOn = stopWaiting(resolve)
    const timer = setTimeout(
      stopWaiting(() => reject(new UsageUnreachable())),
      MAX_WAIT_MS,
    )
    waiting.add(goOn)
  })
}

/** The socket and the process of a connection, which pg's types do not expose. */
type Connected = pg.PoolClient & { readonly processID: number; readonly connection: { readonly stream: { destroy(): void } } }

/** Makes the client leave its place when it is released: at once, or, where its connection was closed, when PostgreSQL has ended it too. */
const holdPlace = (client: pg.PoolClient, limitMs: number, leave: () => void, urgent: pg.Pool): pg.PoolClient => {
  const { processID, connection } = client as Connected
  const release = client.release.bind(client)
  let isClosed = false
  const giveUp = setTimeout(() => {
    isClosed = true
    connection.stream.destroy()
  }, limitMs).unref()
  client.release = (destroy) => {
    clearTimeout(giveUp)
    release(destroy)
    if (isClosed || (destroy !== undefined && destroy !== false)) void waitUntilGone(processID, urgent).then(leave)
    else leave()
  }
  return client
}

/** Resolves when PostgreSQL works no more for a connection that was closed: it goes on while a worker that hangs does not answer it. */
const waitUntilGone = async (processId: number, urgent: pg.Pool): Promise<void> => {
  const isThere = async (): Promise<boolean> =>
    (await urgent.query('select from pg_stat_activity where pid = $1', [processId])).rowCount === 1
  while (!urgent.ended && (await isThere().catch(() => true)))
    await new Promise((resolve) => void setTimeout(resolve, GONE_CHECK_MS).unref())
}
