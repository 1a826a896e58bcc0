import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A request that a socket has begun to send, and its answer, until that has left. */
export class Exchange {
  readonly begunAt = performance.now()
  readonly #request: IncomingMessage
  readonly #socket: Socket
  readonly #readBefore: number
  readonly #writtenBefore: number

  constructor(request: IncomingMessage) {
    this.#request = request
    this.#socket = request.socket
    this.#readBefore = this.#socket.bytesRead
    this.#writtenBefore = this.#socket.bytesWritten
  }

  /** Whether the client has yet to send a part of its request. */
  get isSending(): boolean {
    return !this.#request.complete
  }

  /** Whether a part of the answer waits for the client to read. */
  get isReading(): boolean {
    return this.#socket.writableLength > 0
  }

  /** The bytes that the client sent since the request began. */
  get bytesSent(): number {
    return this.#socket.bytesRead - this.#readBefore
  }

  /** The bytes of the answer that the system has taken for the client; what waits in the socket's own buffer has not left yet. */
  get bytesTaken(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength - this.#writtenBefore
  }

  /** How many bytes a second the client moves while the server waits for it alone; null while the server works on its request. */
  get rate(): number | null {
    if (this.isSending) return 0
    return this.isReading ? this.bytesTaken / (performance.now() - this.begunAt + 1) : null
  }
}
