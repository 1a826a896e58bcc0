import type { Socket } from 'node:net'
import { OperatorError } from '../kit/api-error.ts'

const LF = 10
const LENGTH_BYTES = 4

/** Cuts bytes into frames: a length of four bytes and as many bytes; the frame without bytes says that all have come. */
export async function* framed(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of input) {
    if (bytes.length > 0) yield Buffer.concat([lengthOf(bytes.length), bytes])
  }
  yield lengthOf(0)
}

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes)
  return length
}

/** What comes through a socket: a line, and then, if wanted, frames. */
export interface SocketInput {
  /** The first line; null when the other side leaves before its end. */
  line(): Promise<string | null>
  /** The bytes of the frames. @throws OperatorError when the line breaks before the last frame */
  frames(): AsyncGenerator<Buffer>
  /** Passes over whatever else is sent. */
  drain(): Promise<void>
}

export const socketInput = (socket: Socket): SocketInput => {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false })
  let read: Buffer = Buffer.alloc(0)
  /** @returns false when no more comes */
  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (done !== true) read = read.length === 0 ? value : Buffer.concat([read, value])
    return done !== true
  }
  const take = (bytes: number): Buffer => {
    const taken = read.subarray(0, bytes)
    read = read.subarray(bytes)
    return taken
  }
  const whole = async (bytes: number): Promise<Buffer> => {
    while (read.length < bytes) {
      if (!(await more().catch(() => false))) throw new OperatorError('The input broke off before its end. Nothing was imported.')
    }
    return take(bytes)
  }
  return {
    line: async () => {
      while (!read.includes(LF)) if (!(await more())) return null
      return take(read.indexOf(LF) + 1).toString('utf8')
    },
    async *frames() {
      for (let length = -1; length !== 0; ) {
        length = (await whole(LENGTH_BYTES)).readUInt32BE()
        if (length > 0) yield await whole(length)
      }
    },
    drain: async () => {
      await chunks.return?.()
      socket.resume()
    },
  }
}
