import { finished, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** An answer of more leaves in pieces of so many bytes: what leaves as a whole does not show how slowly it is read. */
const PIECE_BYTES = 65_536
/** How many bytes of large answers the server holds for those who have not read them yet. */
const MAX_HELD_BYTES = 256 * 1024 * 1024

interface HeldAnswer {
  readonly bytes: Uint8Array
  readonly begunAt: number
  taken: number
  /** Breaks the answer off. */
  end(): void
}

/**
 * Sends large answers in pieces and bounds how much of them is in memory, whoever asked for them: where a new one has no room, those that are
 * read most slowly are broken off.
 */
export const boundLargeAnswers = (app: FastifyInstance): void => {
  const held = new Set<HeldAnswer>()
  let heldBytes = 0

  const release = (answer: HeldAnswer): void => {
    if (held.delete(answer)) heldBytes -= answer.bytes.length
  }
  const hold = (answer: HeldAnswer): void => {
    while (heldBytes + answer.bytes.length > MAX_HELD_BYTES && held.size > 0) {
      const slowest = [...held].reduce((a, b) => (rateOf(b) < rateOf(a) ? b : a))
      release(slowest)
      slowest.end()
    }
    held.add(answer)
    heldBytes += answer.bytes.length
  }

  app.addHook('onSend', async (_request, reply, payload) => {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    if (!(bytes instanceof Uint8Array) || bytes.length <= PIECE_BYTES) return payload
    const answer = { bytes, begunAt: performance.now(), taken: 0, end: () => void reply.raw.destroy() }
    hold(answer)
    finished(reply.raw, () => release(answer))
    void reply.header('content-length', bytes.length)
    return Readable.from(piecesOf(answer), { objectMode: false })
  })
}

const rateOf = ({ taken, begunAt }: HeldAnswer): number => taken / (performance.now() - begunAt + 1)

function* piecesOf(answer: HeldAnswer): Generator<Uint8Array> {
  for (; answer.taken < answer.bytes.length; answer.taken += PIECE_BYTES)
    yield answer.bytes.subarray(answer.taken, answer.taken + PIECE_BYTES)
}
