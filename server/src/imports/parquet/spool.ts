import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AsyncBuffer } from 'hyparquet'

/** A file that can be read at any place. */
export interface Spool extends AsyncBuffer {
  close(): Promise<void>
}

/**
 * Copies the bytes to a file without a name, in the folder for temporary files, because they come in order and Parquet is read from its
 * end. The file is gone when it is closed, or when the process ends.
 */
export const spool = async (source: AsyncIterable<Uint8Array>): Promise<Spool> => {
  const file = await openNameless()
  try {
    let byteLength = 0
    for await (const chunk of source) {
      await file.writeFile(chunk)
      byteLength += chunk.length
    }
    return {
      byteLength,
      slice: (start, end = byteLength) => readSlice(file, start, Math.min(end, byteLength)),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Opens a temporary file whose name is removed at once. */
const openNameless = async (): Promise<FileHandle> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-'))
  try {
    return await open(join(folder, 'file'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads these bytes of the file. @throws RangeError when the file has become shorter */
const readSlice = async (file: FileHandle, start: number, end: number): Promise<ArrayBuffer> => {
  const bytes = new Uint8Array(Math.max(0, end - start))
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at)
    if (bytesRead === 0) throw new RangeError('the file is shorter than it was')
    at += bytesRead
  }
  return bytes.buffer
}
