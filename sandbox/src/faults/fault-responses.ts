import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** What a proxy in front of a broken provider shows. */
const GARBAGE = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>'

/** Cuts the caller's line without an answer. */
export const cutLine = (reply: FastifyReply): void => {
  reply.hijack()
  reply.raw.socket?.resetAndDestroy()
}

/** Answers 200 with a page that has nothing to do with the call. */
export const sendGarbage = (reply: FastifyReply): FastifyReply => reply.code(200).type('text/html; charset=utf-8').send(GARBAGE)

/** Waits that long; gives false when the caller hung up before. */
export const waited = async (reply: FastifyReply, ms: number): Promise<boolean> => {
  const gone = new AbortController()
  const hungUp = once(reply.raw, 'close', { signal: gone.signal }).then(
    () => false,
    () => true,
  )
  const longEnough = wait(ms, true, { signal: gone.signal }).catch(() => true)
  const stayed = await Promise.race([hungUp, longEnough])
  gone.abort()
  return stayed
}
