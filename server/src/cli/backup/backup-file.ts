import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { addAbortSignal, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../../kit/api-error.ts'
import { AGE_MAGIC, decryptFile } from './encryption.ts'
import { readErrorText, writeErrorText } from '../../kit/system-errors.ts'

/**
 * Writes to a temporary file and renames it when complete, so that a partial backup is never taken for one. When `stop` is aborted, nothing
 * is left of it.
 * @returns its size in bytes
 * @throws OperatorError when the file exists or cannot be written
 */
export const writeFileAtomically = async (
  path: string,
  write: (stream: Writable) => Promise<void>,
  stop?: AbortSignal,
): Promise<number> => {
  if ((await stat(path).catch(() => null)) !== null) throw new OperatorError(`${path} is there already; name another file.`)
  const partPath = `${path}.part`
  await rm(partPath, { force: true }).catch(() => undefined)
  try {
    const file = await open(partPath, 'wx', 0o600)
    const stream = file.createWriteStream({ flush: true })
    if (stop !== undefined) addAbortSignal(stop, stream).on('error', () => undefined) // `write` fails by it
    await write(stream).catch((error: unknown) => {
      stream.destroy() // closes the file, also when nothing was written yet
      throw error
    })
    const { size } = await stat(partPath)
    await rename(partPath, path)
    return size
  } catch (error) {
    await rm(partPath, { force: true }).catch(() => undefined)
    if (stop?.aborted === true) throw new OperatorError('Stopped. No backup was made.', { cause: error })
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof OperatorError || code === undefined || !/^E[A-Z]+$/.test(code)) throw error
    throw new OperatorError(`The backup ${path} cannot be written: ${writeErrorText(error)}.`, { cause: error })
  }
}

/** A backup that was found whole, as far as that can be told before it is restored. */
export interface BackupFile {
  readonly path: string
  /** The kind of database that it comes from. */
  readonly kind: 'embedded' | 'postgres'
  /** Its content from the beginning, decrypted. */
  open(): Promise<Readable>
}

/**
 * Opens a backup. An encrypted one is read to its end, so that a cut or changed one is found out before anything is restored.
 * @param identities secret keys of age; null without any
 * @throws OperatorError when it is not a backup, not readable, changed, or not encrypted for one of the keys
 */
export const openBackup = async (path: string, identities: readonly string[] | null): Promise<BackupFile> => {
  const isEncrypted = (await readHead(path, AGE_MAGIC.length)).toString('latin1') === AGE_MAGIC
  if (isEncrypted && identities === null)
    throw new OperatorError(`${path} is encrypted: name the file with the key that opens it in --identity.`)
  // Whoever asks for decryption expects a file of their own; a plain one may have been put in its place.
  if (!isEncrypted && identities !== null) throw new OperatorError(`${path} is not an encrypted backup; restore it without --identity.`)
  const openContent = async (): Promise<Readable> => (identities === null ? createReadStream(path) : decryptFile(path, identities))
  const head = isEncrypted ? await readWhole(path, await openContent()) : await readHead(path, HEAD_BYTES)
  return { path, kind: detectKind(path, head), open: openContent }
}

/** Enough to tell what a file is. */
const HEAD_BYTES = 5

/** The first bytes of a file; fewer when it is shorter. @throws OperatorError when it cannot be opened */
const readHead = async (path: string, bytes: number): Promise<Buffer> => {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read: ${readErrorText(error)}.`,
      {
        cause: error,
      },
    )
  })
  try {
    const { buffer: head, bytesRead } = await file
      .read(Buffer.alloc(bytes), 0, bytes, 0)
      .catch(() => ({ buffer: Buffer.alloc(0), bytesRead: 0 }))
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads a stream to its end. @returns its first bytes @throws OperatorError when it fails on the way */
const readWhole = async (path: string, content: Readable): Promise<Buffer> => {
  let head = Buffer.alloc(0)
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>)
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)])
  } catch (error) {
    throw new OperatorError(`The backup ${path} is cut or damaged.`, { cause: error })
  }
  return head.subarray(0, HEAD_BYTES)
}

/** The database that a backup is of, by its first bytes: PGDMP, or those of gzip. @throws OperatorError for any other file */
const detectKind = (path: string, head: Buffer): BackupFile['kind'] => {
  if (head.toString('latin1') === 'PGDMP') return 'postgres'
  if (head.length > 2 && head[0] === 0x1f && head[1] === 0x8b) return 'embedded'
  throw new OperatorError(`${path} is no backup of Counterfoil.`)
}

/** The unpacked archive in a backup of the embedded database, whole in memory. @throws OperatorError when it is cut or damaged */
export const readArchive = async (backup: BackupFile): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return new Uint8Array(await pipeline(await backup.open(), createGunzip(), buffer))
  } catch (error) {
    throw new OperatorError(`The backup ${backup.path} is cut or damaged.`, { cause: error })
  }
}
