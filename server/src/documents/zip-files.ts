import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive; it is stored as it is, because PDFs are compressed already. */
export interface ZippedFile {
  /** Its path in the archive. */
  readonly name: string
  readonly bytes: Uint8Array
  /** When it was last changed. */
  readonly changedAt: Date
}

/** A ZIP file, piece by piece: the next file is asked for when the reader has taken the one before, so one is in memory at a time. */
export async function* zipChunks(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  for await (const { name, bytes, changedAt } of files) {
    zip.addBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name, { compress: false, mtime: changedAt })
    yield* availableChunks(output)
  }
  zip.end()
  for await (const chunk of output) yield chunk as Buffer
}

/** What the stream has ready now, without waiting. */
function* availableChunks(output: Readable): Generator<Uint8Array> {
  for (let chunk = output.read() as Buffer | null; chunk !== null; chunk = output.read() as Buffer | null) yield chunk
}
