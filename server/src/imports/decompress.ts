import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../kit/api-error.ts'

/**
 * Decompresses gzip, recognised by its first two bytes; anything else passes unchanged.
 * @throws OperatorError when a gzip file is truncated or damaged
 */
export async function* decompress(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isEnd = false
  while (head.length < 2 && !isEnd) {
    const { done, value } = await chunks.next()
    if (done === true) isEnd = true
    else head = Buffer.concat([head, value])
  }
  const all = prepend(head, isEnd ? null : chunks)
  yield* head[0] === 0x1f && head[1] === 0x8b ? gunzipChunks(all) : all
}

async function* prepend(head: Uint8Array, chunks: AsyncIterator<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield head
    for (let next = await chunks?.next(); next !== undefined && next.done !== true; next = await chunks?.next()) yield next.value
  } finally {
    await chunks?.return?.()
  }
}

async function* gunzipChunks(compressed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const input = Readable.from(compressed, { objectMode: false })
  input.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of input.pipe(gunzip)) yield chunk as Buffer
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw new OperatorError('The file is compressed with gzip, and cut or damaged.', { cause: error })
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}
