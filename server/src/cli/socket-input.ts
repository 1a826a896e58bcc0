import type { Socket } from 'node:net'
import { OperatorError } from '../kit/api-error.ts'

const LF = 10
const LENGTH_BYTES = 4

/** Puts its length, in LENGTH_BYTES bytes, before each chunk. An empty frame ends the stream. */
export async function* toFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of input) {
    if (bytes.length > 0) yield Buffer.concat([lengthPrefix(bytes.length), bytes])
  }
  yield lengthPrefix(0)
}

/** A number of bytes as the big-endian bytes that begin a frame. */
const lengthPrefix = (bytes: number): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes)
  return length
}

/** The input of a socket: one line, then frames on request. */
export interface SocketInput {
  /** The first line; null when the connection closes before its end. */
  readLine(): Promise<string | null>
  /** The bytes of the frames. @throws OperatorError when the connection breaks before the last frame */
  readFrames(): AsyncGenerator<Buffer>
  /** Discards all that comes until the client has no more to say, or is gone. */
  untilEnd(): Promise<void>
  /** Discards the rest of the input. */
  drain(): Promise<void>
}

/** Reads what a client sends over the socket on which the server takes commands. Nothing is read before it is asked for. */
export const socketInput = (socket: Socket): SocketInput => {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false })
  let buffered: Buffer = Buffer.alloc(0)
  /** @returns false at the end of the input */
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (done !== true) buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value])
    return done !== true
  }
  const take = (bytes: number): Buffer => {
    const head = buffered.subarray(0, bytes)
    buffered = buffered.subarray(bytes)
    return head
  }
  const takeExactly = async (bytes: number): Promise<Buffer> => {
    while (buffered.length < bytes) {
      if (!(await readMore().catch(() => false))) throw new OperatorError('The input broke off before its end. Nothing was imported.')
    }
    return take(bytes)
  }
  return {
    readLine: async () => {
      while (!buffered.includes(LF)) if (!(await readMore())) return null
      return take(buffered.indexOf(LF) + 1).toString('utf8')
    },
    async *readFrames() {
      for (let length = -1; length !== 0; ) {
        length = (await takeExactly(LENGTH_BYTES)).readUInt32BE()
        if (length > 0) yield await takeExactly(length)
      }
    },
    untilEnd: async () => {
      while (await readMore().catch(() => false)) buffered = Buffer.alloc(0)
    },
    drain: async () => {
      await chunks.return?.()
      socket.resume()
    },
  }
}
