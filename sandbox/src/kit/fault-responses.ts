import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** What a proxy in front of a broken provider might answer. */
const GARBAGE = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>'

/** Resets the caller's connection without a response. */
export const cutConnection = (reply: FastifyReply): void => {
  reply.hijack()
  reply.raw.socket?.resetAndDestroy()
}

/** Answers 200 with an unrelated HTML page. */
export const sendGarbage = (reply: FastifyReply): FastifyReply => reply.code(200).type('text/html; charset=utf-8').send(GARBAGE)

/** Answers 500 with the page of a broken web server. */
export const sendServerError = (reply: FastifyReply): FastifyReply =>
  reply.code(500).type('text/html').send('<html><body><h1>500 Internal Server Error</h1></body></html>')

/** Waits `ms` milliseconds, or until it is released, and returns true; returns false as soon as the caller closes the connection. */
export const waitUnlessClosed = async (reply: FastifyReply, ms: number, released?: AbortSignal): Promise<boolean> => {
  const abort = new AbortController()
  const closed = once(reply.raw, 'close', { signal: abort.signal }).then(
    () => false,
    () => true,
  )
  const ends = released === undefined ? abort.signal : AbortSignal.any([abort.signal, released])
  const elapsed = wait(ms, true, { signal: ends }).catch(() => true)
  const hasElapsed = await Promise.race([closed, elapsed])
  abort.abort()
  return hasElapsed
}
