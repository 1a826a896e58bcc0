import type pg from 'pg'
import type { DbRole } from '../database.ts'
import { UsageBusy, UsageUnreachable } from '../lost-connection.ts'
import type { WorkerOf } from './usage-workers.ts'

/** How long no place is left until a worker is taken to hang. Adding up usage takes five seconds at most while somebody waits. */
const MAX_SILENCE_MS = 6_000
/** How long a job or a download waits while none is left: as long as for a connection. Those who hold the places may work for minutes. */
const MAX_BACKGROUND_WAIT_MS = 10_000
/** More than these are not kept waiting for one worker: each of them is a request in hand. */
const MAX_WAITING = 32
const GONE_CHECK_MS = 2_000

/** A connection that is held, since when in ms of performance.now(), and whether the worker was given up. */
interface Place {
  since: number
  isGivenUp: boolean
}

/** The connections that one worker may keep waiting in one pool. */
interface Places {
  readonly max: number
  readonly held: Set<Place>
  /** Those who wait: each takes the place that it is given. */
  readonly waiting: Set<(place: Place) => void>
  /** When a place was last left. */
  leftAt: number
}

/** How a pool gives its connections to what reads or writes usage. */
interface UsageLimit {
  /** The part of its connections that one worker may keep waiting. */
  readonly share: number
  /** A connection is given up after it: a worker that hangs cannot be told to stop. */
  readonly limitMs: number
  /** Whether somebody waits, who is told early that a worker seems to hang. Work of minutes tells so only by being given up. */
  readonly isInteractive: boolean
}

/** Gives connections of a pool for what reads or writes usage. */
export interface UsagePlaces {
  /** @throws UsageUnreachable when the worker seems to hang; UsageBusy when too many wait for it */
  connect(pool: pg.Pool, as: DbRole, limit: UsageLimit): Promise<pg.PoolClient>
}

/** @param interactive the pool over which PostgreSQL is asked whether it still works for a connection that was given up */
export const createUsagePlaces = (interactive: pg.Pool, workerOf: WorkerOf): UsagePlaces => {
  const placesOf = new Map<string, Places>()
  const poolNumbers = new Map<pg.Pool, number>()

  const placesIn = (pool: pg.Pool, worker: string, share: number): Places => {
    const poolNumber = poolNumbers.get(pool) ?? poolNumbers.size
    poolNumbers.set(pool, poolNumber)
    const key = `${poolNumber} ${worker}`
    const max = Math.max(1, Math.floor((pool.options.max ?? 0) * share))
    const places = placesOf.get(key) ?? { max, held: new Set(), waiting: new Set(), leftAt: 0 }
    placesOf.set(key, places)
    return places
  }

  return {
    connect: async (pool, as, limit) => {
      const worker = 'customerId' in as ? await workerOf(as.customerId) : 'every worker'
      if (worker === '') return pool.connect() // it is on its way to one
      const places = placesIn(pool, worker, limit.share)
      const place = await takePlace(places, limit.isInteractive)
      try {
        return holdPlace(await pool.connect(), places, place, { limitMs: limit.limitMs, interactive })
      } catch (error) {
        leavePlace(places, place)
        throw error
      }
    },
  }
}

const takePlace = async (places: Places, isInteractive: boolean): Promise<Place> => {
  const { max, held, waiting } = places
  const place = { since: performance.now(), isGivenUp: false }
  if (held.size < max) {
    held.add(place)
    return place
  }
  if (seemsToHang(places, isInteractive)) throw new UsageUnreachable()
  if (waiting.size >= MAX_WAITING) throw new UsageBusy()
  return waitForPlace(places, isInteractive ? MAX_SILENCE_MS : MAX_BACKGROUND_WAIT_MS)
}

/** Whether all were given up, or nobody who waits has had an answer for long. */
const seemsToHang = ({ held, leftAt }: Places, isInteractive: boolean): boolean => {
  const longAgo = performance.now() - MAX_SILENCE_MS
  const isSilent = isInteractive && leftAt < longAgo && [...held].every(({ since }) => since < longAgo)
  return isSilent || [...held].every(({ isGivenUp }) => isGivenUp)
}

/** Gets the next place that is left. @throws UsageUnreachable when none was left for so long */
const waitForPlace = (places: Places, maxSilenceMs: number): Promise<Place> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let timer: NodeJS.Timeout
    const take = (place: Place): void => {
      clearTimeout(timer)
      places.waiting.delete(take)
      resolve(place)
    }
    const look = (): void => {
      const leftMs = Math.max(startedAt, places.leftAt) + maxSilenceMs - performance.now()
      if (leftMs > 0) {
        timer = setTimeout(look, leftMs)
        return
      }
      places.waiting.delete(take)
      reject(new UsageUnreachable())
    }
    places.waiting.add(take)
    timer = setTimeout(look, maxSilenceMs)
  })

/** Gives the place to who waits longest, if anybody does. */
const leavePlace = (places: Places, place: Place): void => {
  places.leftAt = performance.now()
  const [next] = places.waiting
  if (next === undefined) {
    places.held.delete(place)
    return
  }
  Object.assign(place, { since: places.leftAt, isGivenUp: false })
  next(place)
}

/** The socket and the process of a connection, which pg's types do not expose. */
type Connected = pg.PoolClient & { readonly processID: number; readonly connection: { readonly stream: { destroy(): void } } }

/** Makes the client leave its place when it is released: at once, or, where its connection was closed, when PostgreSQL has ended it too. */
const holdPlace = (
  client: pg.PoolClient,
  places: Places,
  place: Place,
  { limitMs, interactive }: { readonly limitMs: number; readonly interactive: pg.Pool },
): pg.PoolClient => {
  const { processID, connection } = client as Connected
  const release = client.release.bind(client)
  const giveUp = setTimeout(() => {
    place.isGivenUp = true
    connection.stream.destroy()
  }, limitMs).unref()
  client.release = (destroy) => {
    clearTimeout(giveUp)
    release(destroy)
    const isClosed = place.isGivenUp || (destroy !== undefined && destroy !== false)
    if (isClosed) void waitUntilGone(processID, interactive).then(() => leavePlace(places, place))
    else leavePlace(places, place)
  }
  return client
}

/** Resolves when PostgreSQL works no more for a connection that was closed: it goes on while a worker that hangs does not answer it. */
const waitUntilGone = async (processId: number, pool: pg.Pool): Promise<void> => {
  const isThere = async (): Promise<boolean> =>
    (await pool.query('select from pg_stat_activity where pid = $1', [processId])).rowCount === 1
  while (!pool.ended && (await isThere().catch(() => true))) await new Promise((resolve) => void setTimeout(resolve, GONE_CHECK_MS).unref())
}
