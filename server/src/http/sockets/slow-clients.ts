import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'

/** A phone on a bad line sends and reads ten times as fast. */
const MIN_BYTES_PER_S = 4_096
/** How long a client may pause from the beginning: lines do. */
const MAX_PAUSE_OF_SENDER_MS = 5_000
const MAX_PAUSE_OF_READER_MS = 60_000
/** How far a client may be ahead. A system takes megabytes at once for a slow line, and then none for minutes. */
const MAX_CREDIT_BYTES = 2 * 1024 * 1024
/** What Node itself answers to who sends too slowly. */
const REQUEST_TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** How many bytes a client was ahead of the least rate, and how many it had moved by then. */
interface Account {
  readonly at: number
  readonly bytes: number
  readonly credit: number
}

/**
 * Closes the sockets of clients that send a request or read an answer more slowly than any real line does. A byte now and then keeps a
 * socket from idling, and what stands behind it from ending: a query, one of the places for downloads. The whole request counts, and the
 * whole answer: what a client moves is its credit, of which the time that it is waited for takes the least rate.
 */
export class SlowClients {
  readonly #exchangeOn: (socket: Socket) => Exchange | undefined
  readonly #sockets = new Set<Socket>()
  readonly #sending = new WeakMap<Exchange, Account>()
  readonly #reading = new WeakMap<Exchange, Account>()

  constructor(exchangeOn: (socket: Socket) => Exchange | undefined) {
    this.#exchangeOn = exchangeOn
  }

  /** Has a socket checked from now until it closes. */
  watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /**
   * Closes the sockets whose client is too slow: 408 where it sends a request, without a word where it reads an answer.
   * @param now milliseconds of a clock that never goes back
   */
  check(now: number): void {
    for (const socket of this.#sockets) {
      const exchange = this.#exchangeOn(socket)
      if (exchange === undefined) continue
      const { isSending, isReading, bytesSent, bytesTaken } = exchange
      if (isSending && hasNoCredit(this.#sending, exchange, { now, bytes: bytesSent, isWaitedFor: true }, MAX_PAUSE_OF_SENDER_MS)) {
        this.#sockets.delete(socket)
        socket.end(REQUEST_TIMEOUT, () => socket.destroy())
      } else if (hasNoCredit(this.#reading, exchange, { now, bytes: bytesTaken, isWaitedFor: isReading }, MAX_PAUSE_OF_READER_MS))
        socket.destroy()
    }
  }
}

/**
 * Brings the account of an exchange up to date in `accounts`, and says whether the client has fallen below the least rate for longer than
 * it may pause.
 */
const hasNoCredit = (
  accounts: WeakMap<Exchange, Account>,
  exchange: Exchange,
  { now, bytes, isWaitedFor }: { now: number; bytes: number; isWaitedFor: boolean },
  maxPauseMs: number,
): boolean => {
  const last = accounts.get(exchange) ?? { at: exchange.begunAt, bytes: 0, credit: dueAfter(maxPauseMs) }
  const due = isWaitedFor ? dueAfter(now - last.at) : 0
  const credit = Math.min(last.credit + bytes - last.bytes - due, MAX_CREDIT_BYTES)
  accounts.set(exchange, { at: now, bytes, credit })
  return credit < 0
}

/** How many bytes the least rate demands of a client in this time. */
const dueAfter = (ms: number): number => (ms / 1_000) * MIN_BYTES_PER_S
