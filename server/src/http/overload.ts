import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import type { Store } from '../db/database.ts'
import { ApiError } from '../kit/api-error.ts'

/**
 * What a request costs the server. `normal`: a read or a small write. `urgent`: it moves money, or tells of money; it waits for a payment
 * company and not for this machine, so that it counts by itself. `hashing`: it waits for a password to be hashed, in a queue of its own.
 */
export type LoadClass = 'normal' | 'urgent' | 'hashing'

/** With more requests in hand each of them takes longer, and none more is answered. */
const MAX_IN_HAND = 64
/** The same while the event loop lags: a slow machine, or requests that are larger than usual. */
const MAX_IN_HAND_WHEN_SLOW = 32
const MAX_URGENT_IN_HAND = 256
/** How long the event loop may keep something waiting that is ready to run. */
const MAX_LOOP_DELAY_MS = 100
/** Jobs and imports use the database too. */
const MAX_WAITING_FOR_DATABASE = 128
const SAMPLE_MS = 100
const RETRY_AFTER_S = 1
const BUSY_TEXT = 'We are very busy just now. Please try again in a moment.'

/** What the server has in hand, whoever sends it: what comes beyond what it can do in time is refused at once. */
export interface ServerLoad {
  /** @throws ApiError 503 when the server has no room for such a request */
  assertCapacity(request: FastifyRequest): void
  /** Takes a request in hand. @returns a function to call once it is done @throws ApiError 503 as assertCapacity */
  enter(request: FastifyRequest): () => void
  stop(): void
}

/** @param pools whose waiting lists say how busy the database is */
export const serverLoad = ({ pools }: Pick<Store, 'pools'>): ServerLoad => {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  let loopDelayMs = 0
  const sampling = setInterval(() => {
    loopDelayMs = delays.max / 1e6
    delays.reset()
  }, SAMPLE_MS).unref()
  const inHand = { normal: 0, urgent: 0, hashing: 0 }

  const hasCapacity: Readonly<Record<LoadClass, () => boolean>> = {
    normal: () =>
      inHand.normal < (loopDelayMs < MAX_LOOP_DELAY_MS ? MAX_IN_HAND : MAX_IN_HAND_WHEN_SLOW) &&
      pools.interactive.waitingCount < MAX_WAITING_FOR_DATABASE,
    urgent: () => inHand.urgent < MAX_URGENT_IN_HAND,
    hashing: () => true,
  }

  const assertCapacity = (request: FastifyRequest): void => {
    if (!hasCapacity[loadClassOf(request)]()) throw new ApiError('busy', BUSY_TEXT, { retryAfter: RETRY_AFTER_S })
  }

  return {
    assertCapacity,
    enter: (request) => {
      assertCapacity(request)
      const loadClass = loadClassOf(request)
      inHand[loadClass] += 1
      return () => void (inHand[loadClass] -= 1)
    },
    stop: () => {
      clearInterval(sampling)
      delays.disable()
    },
  }
}

const loadClassOf = ({ routeOptions }: FastifyRequest): LoadClass => routeOptions.config.load ?? 'normal'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `normal` when absent. */
    load?: LoadClass
  }
}
