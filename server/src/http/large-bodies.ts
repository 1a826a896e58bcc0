import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../kit/api-error.ts'
import { addressNetworks } from '../rate-limits/client-address.ts'
import { tooManyRequests } from '../rate-limits/rate-limits.ts'

/** What a request's body may have where a route says nothing else. So many bytes of each socket are no danger. */
export const MAX_BODY_BYTES = 65_536
/** How many bytes of larger bodies are in hand: sent slowly, they stand in memory for half a minute. */
const MAX_LARGE_BYTES = 32 * 1024 * 1024
const MAX_LARGE_BYTES_PER_ADDRESS = 4 * 1024 * 1024
const RETRY_AFTER_MS = 1_000
const EVERYBODY = 'everybody'

/**
 * Refuses a request whose large body (above `MAX_BODY_BYTES`) has no room, before the body is read: 429 where its address has too many
 * bytes in hand, 503 where the server has. A body counts with its Content-Length, without one with its route's limit.
 */
export const boundLargeBodies = (app: FastifyInstance): void => {
  const inHand = new Map<string, number>()
  const change = (key: string, difference: number): void => {
    const bytes = (inHand.get(key) ?? 0) + difference
    if (bytes === 0) inHand.delete(key)
    else inHand.set(key, bytes)
  }

  app.addHook('onRequest', async (request, reply) => {
    const bytes = bodyBytesOf(request)
    // Fastify refuses one that is too long without reading it.
    if (bytes <= MAX_BODY_BYTES || bytes > request.routeOptions.bodyLimit) return
    const networks = addressNetworks(request.ip)
    const fits = (key: string, max: number): boolean => (inHand.get(key) ?? 0) + bytes <= max
    if (!networks.every(({ key, multiplier }) => fits(key, MAX_LARGE_BYTES_PER_ADDRESS * multiplier))) throw tooManyRequests(RETRY_AFTER_MS)
    if (!fits(EVERYBODY, MAX_LARGE_BYTES))
      throw new ApiError('busy', 'We are very busy just now. Please try again in a moment.', { retryAfter: RETRY_AFTER_MS / 1_000 })
    const keys = [EVERYBODY, ...networks.map(({ key }) => key)]
    for (const key of keys) change(key, bytes)
    finished(reply.raw, () => {
      for (const key of keys) change(key, -bytes)
    })
  })
}

/** How large a request's body may become: its Content-Length, or its route's limit where the body comes in chunks; 0 without a body. */
const bodyBytesOf = ({ headers, routeOptions }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : routeOptions.bodyLimit
