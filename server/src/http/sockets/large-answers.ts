import { finished, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** An answer of more leaves in pieces of so many bytes: what leaves as a whole does not show how slowly it is read. */
const PIECE_BYTES = 65_536
/** How many bytes of large answers the server holds for those who have not read them yet. */
const MAX_HELD_BYTES = 256 * 1024 * 1024

/** An answer in memory until its client has taken it. */
interface LargeAnswer {
  readonly bytes: Uint8Array
  /** By `performance.now()`, in milliseconds. */
  readonly begunAt: number
  /** How many bytes the client has taken. */
  takenBytes: number
  /** Breaks the answer off. */
  end(): void
}

/**
 * Sends large answers in pieces and bounds how much of them is in memory, whoever asked for them: where a new one has no room, the sockets
 * of those that are read most slowly are destroyed.
 */
export const boundLargeAnswers = (app: FastifyInstance): void => {
  const held = new Set<LargeAnswer>()
  let heldBytes = 0

  const release = (answer: LargeAnswer): void => {
    if (held.delete(answer)) heldBytes -= answer.bytes.length
  }
  const hold = (answer: LargeAnswer): void => {
    while (heldBytes + answer.bytes.length > MAX_HELD_BYTES && held.size > 0) {
      const slowest = [...held].reduce((a, b) => (takingRateOf(b) < takingRateOf(a) ? b : a))
      release(slowest)
      slowest.end()
    }
    held.add(answer)
    heldBytes += answer.bytes.length
  }

  app.addHook('onSend', async (_request, reply, payload) => {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    if (!(bytes instanceof Uint8Array) || bytes.length <= PIECE_BYTES) return payload
    const answer = { bytes, begunAt: performance.now(), takenBytes: 0, end: () => void reply.raw.destroy() }
    hold(answer)
    finished(reply.raw, () => release(answer))
    void reply.header('content-length', bytes.length)
    return Readable.from(piecesOf(answer), { objectMode: false })
  })
}

/** How quickly the client takes an answer, in bytes a millisecond. */
const takingRateOf = ({ takenBytes, begunAt }: LargeAnswer): number => takenBytes / (performance.now() - begunAt + 1)

/** The bytes of an answer in pieces; `takenBytes` grows as each piece is taken. */
function* piecesOf(answer: LargeAnswer): Generator<Uint8Array> {
  for (; answer.takenBytes < answer.bytes.length; answer.takenBytes += PIECE_BYTES)
    yield answer.bytes.subarray(answer.takenBytes, answer.takenBytes + PIECE_BYTES)
}
