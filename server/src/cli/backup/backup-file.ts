import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { OperatorError } from '../../kit/api-error.ts'

/**
 * Writes to a temporary file and renames it when complete, so that a partial backup is never taken for one.
 * @returns its size in bytes
 * @throws OperatorError when the file exists or cannot be written
 */
export const writeFileAtomically = async (path: string, write: (stream: Writable) => Promise<void>): Promise<number> => {
  if ((await stat(path).catch(() => null)) !== null) throw new OperatorError(`${path} is there already; name another file.`)
  const partPath = `${path}.part`
  await rm(partPath, { force: true }).catch(() => undefined)
  try {
    const file = await open(partPath, 'wx', 0o600)
    await write(file.createWriteStream({ flush: true }))
    const { size } = await stat(partPath)
    await rename(partPath, path)
    return size
  } catch (error) {
    await rm(partPath, { force: true }).catch(() => undefined)
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof OperatorError || code === undefined || !/^E[A-Z]+$/.test(code)) throw error
    throw new OperatorError(`The backup ${path} cannot be written (${code}).`, { cause: error })
  }
}

export type BackupKind = 'embedded' | 'postgres'

/** The kind of database that a backup comes from, by its first bytes. @throws OperatorError when it is not a backup or not readable */
export const detectBackupKind = async (path: string): Promise<BackupKind> => {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(error.code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read (${error.code}).`, {
      cause: error,
    })
  })
  try {
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(5), 0, 5, 0).catch(() => ({ buffer: Buffer.alloc(0), bytesRead: 0 }))
    if (bytesRead === 5 && head.toString('latin1') === 'PGDMP') return 'postgres'
    if (bytesRead > 2 && head[0] === 0x1f && head[1] === 0x8b) return 'embedded'
    throw new OperatorError(`${path} is no backup of Counterfoil.`)
  } finally {
    await file.close()
  }
}

/** The archive in a backup of the embedded database. @throws OperatorError when it is cut or damaged */
export const readArchive = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return new Uint8Array(await buffer(createReadStream(path).pipe(createGunzip())))
  } catch (error) {
    throw new OperatorError(`The backup ${path} is cut or damaged.`, { cause: error })
  }
}
