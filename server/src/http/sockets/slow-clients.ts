import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A phone on a bad line sends and reads ten times as fast. */
const MIN_BYTES_PER_S = 4_096
/** How long a request may be on its way before its rate counts: lines pause. */
const MAX_PAUSE_OF_SENDER_MS = 5_000
/** The same for an answer: a system takes bytes for a slow line in lumps, so that a shorter time would show none. */
const MAX_PAUSE_OF_READER_MS = 60_000
/** What Node itself answers to who sends too slowly. */
const REQUEST_TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** Since when, and from which count of bytes, a socket's client has been sending a request or owing the reading of an answer. */
interface Mark {
  readonly at: number
  readonly bytes: number
}

/**
 * Closes the sockets of clients that send a request or read an answer more slowly than any real line does. A byte now and then keeps a
 * socket from idling, and what stands behind it from ending: a query, one of the places for downloads.
 */
export class SlowClients {
  readonly #requestOn: (socket: Socket) => IncomingMessage | undefined
  readonly #sockets = new Set<Socket>()
  readonly #sending = new WeakMap<Socket, Mark>()
  readonly #reading = new WeakMap<Socket, Mark>()

  /** @param requestOn the request that a socket has begun to send, until its answer has left */
  constructor(requestOn: (socket: Socket) => IncomingMessage | undefined) {
    this.#requestOn = requestOn
  }

  watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** @param now milliseconds of a clock that never goes back */
  check(now: number): void {
    for (const socket of this.#sockets) {
      const { bytesRead, bytesWritten, writableLength } = socket
      const isSending = this.#requestOn(socket)?.complete === false
      if (isTooSlow(this.#sending, socket, { at: now, bytes: bytesRead }, isSending ? MAX_PAUSE_OF_SENDER_MS : null))
        socket.end(REQUEST_TIMEOUT, () => socket.destroy())
      // What waits in the socket's own buffer has not left yet. A piece leaves it as a whole, so that a large one gets its time.
      const maxPauseMs = Math.max(MAX_PAUSE_OF_READER_MS, (writableLength / MIN_BYTES_PER_S) * 1_000)
      if (isTooSlow(this.#reading, socket, { at: now, bytes: bytesWritten - writableLength }, writableLength > 0 ? maxPauseMs : null))
        socket.destroy()
    }
  }
}

/**
 * Whether a socket moved too few bytes since its mark, which is renewed when it is as old as a client may pause.
 * @param maxPauseMs null while there is nothing to be moved
 */
const isTooSlow = (marks: WeakMap<Socket, Mark>, socket: Socket, now: Mark, maxPauseMs: number | null): boolean => {
  const mark = marks.get(socket)
  if (maxPauseMs === null) marks.delete(socket)
  if (maxPauseMs === null || (mark !== undefined && now.at - mark.at < maxPauseMs)) return false
  marks.set(socket, now)
  return mark !== undefined && now.bytes - mark.bytes < ((now.at - mark.at) / 1_000) * MIN_BYTES_PER_S
}
