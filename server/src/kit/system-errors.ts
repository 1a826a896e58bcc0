import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What a folder or a file cannot be used for, by the code of the system's error. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user has no room left on the disk',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'no folder can be made there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** What a database cannot be used for, by the code of the system or of PostgreSQL. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'it hangs up',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up just now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'the password is wrong',
  '28000': 'the user may not sign in',
  '3D000': 'there is no database of that name',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or stopping',
}

/** WASI's numbers of the errors that the embedded database meets, as the codes of the system. */
const WASI_ERRORS: Readonly<Record<number, string>> = { 2: 'EACCES', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

const codeOf = (error: unknown): string => {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof code === 'string') return code
  return typeof errno === 'number' ? (WASI_ERRORS[errno] ?? '') : ''
}

/** Says in words why a file or folder cannot be used; undefined for any other error. */
export const fileErrorText = (error: unknown): string | undefined => FILE_ERRORS[codeOf(error)]

/** Says in words why a database cannot be reached; undefined for any other error. */
export const connectionErrorText = (error: unknown): string | undefined => CONNECTION_ERRORS[codeOf(error)]

/**
 * Makes a folder and those above it, readable by this user alone, one by one: Node’s own recursive way tries for ever on a file system
 * that says of a folder to be made that it is not there (/proc).
 * @throws the system's error
 */
export const makeFolder = (folder: string): void => {
  const path = resolve(folder)
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' })
    return
  }
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process made it meanwhile
  }
}
