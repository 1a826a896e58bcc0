import type { Socket } from 'node:net'
import { OperatorError } from '../kit/api-error.ts'

const LF = 10
const LENGTH_BYTES = 4

/** Cuts bytes into frames: a length of four bytes and as many bytes; the frame without bytes says that all have come. */
export async function* toFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of input) {
    if (bytes.length > 0) yield Buffer.concat([lengthPrefix(bytes.length), bytes])
  }
  yield lengthPrefix(0)
}

const lengthPrefix = (bytes: number): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes)
  return length
}

/** What comes through a socket: a line, and then, if wanted, frames. */
export interface SocketInput {
  /** The first line; null when the other side leaves before its end. */
  readLine(): Promise<string | null>
  /** The bytes of the frames. @throws OperatorError when the line breaks before the last frame */
  readFrames(): AsyncGenerator<Buffer>
  /** Passes over whatever else is sent. */
  drain(): Promise<void>
}

export const socketInput = (socket: Socket): SocketInput => {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false })
  let buffered: Buffer = Buffer.alloc(0)
  /** @returns false when no more comes */
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
    drain: async () => {
      await chunks.return?.()
      socket.resume()
    },
  }
}
