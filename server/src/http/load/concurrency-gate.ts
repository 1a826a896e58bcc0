import PQueue from 'p-queue'
import type { FastifyRequest } from 'fastify'
import { addressNetworks } from '../../rate-limits/client-address.ts'
import { tooManyRequests } from '../../rate-limits/rate-limits.ts'
import type { ServerLoad } from './server-load.ts'

/**
 * How many requests of one subject are worked on at once; as many as `MAX_WAITING` wait, and all others are refused at once. With four on
 * two cores, another user's page took twice as long as with two while somebody sorted usage as fast as they could.
 */
const MAX_RUNNING = 2
const MAX_WAITING = 60
const RETRY_AFTER_MS = 1_000

/**
 * Keeps one visitor from making the others wait: a few requests of a signed-in user are worked on at once and a few wait their turn, those
 * for usage apart, and so of an address for each endpoint that needs no session. A request enters when its body is there, so that a slow sender takes no place,
 * and before a password is hashed. A request whose client leaves while it waits is not worked on.
 */
export interface ConcurrencyGate {
  /** @throws ApiError 429 when as many requests of the user wait as may; 503 when the server has no room */
  admitUser(userId: string, request: FastifyRequest): Promise<void>
  /**
   * @param name the endpoint: a slow one does not hold up the others of the same address
   * @throws ApiError 429 when as many requests of the address, or of a network of it, wait as may; 503 when the server has no room
   */
  admitAddress(name: string, request: FastifyRequest): Promise<void>
}

/**
 * Makes the gate, with queues in the memory of this process.
 * @param load what the server has in hand in all: who has a place of their own also needs one of the server's
 */
export const createConcurrencyGate = (load: ServerLoad): ConcurrencyGate => {
  const queues = new Map<string, PQueue>()

  const forgetWhenIdle = async (key: string, queue: PQueue, released: Promise<unknown>): Promise<void> => {
    await released
    if (queue.size + queue.pending === 0) queues.delete(key)
  }

  const enter = async (key: string, multiplier: number): Promise<() => void> => {
    const queue = queues.get(key) ?? new PQueue({ concurrency: MAX_RUNNING * multiplier })
    if (queue.size >= MAX_WAITING * multiplier) throw tooManyRequests(RETRY_AFTER_MS)
    queues.set(key, queue)
    return new Promise((admit) => {
      const untilReleased = (): Promise<void> => new Promise((release) => admit(release))
      void forgetWhenIdle(key, queue, queue.add(untilReleased))
    })
  }

  const admit = async (places: readonly { key: string; multiplier: number }[], request: FastifyRequest): Promise<void> => {
    const { permit } = request
    permit.assertWanted()
    permit.release() // while it waits for the others of its user it takes no place of the server's
    for (const { key, multiplier } of places) permit.add(await enter(key, multiplier))
    load.enter(request)
  }

  return {
    // Usage has a line of its own, so that a worker that hangs does not hold up what else a user does.
    admitUser: (userId, request) =>
      admit([{ key: `user ${userId}${load.classOf(request) === 'usage' ? ' usage' : ''}`, multiplier: 1 }], request),
    admitAddress: (name, request) =>
      admit(
        addressNetworks(request.ip).map(({ key, multiplier }) => ({ key: `${name} ${key}`, multiplier })),
        request,
      ),
  }
}
