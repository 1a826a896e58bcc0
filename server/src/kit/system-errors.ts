import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Why a file or folder cannot be used, whether to read it or to write it, by the code of the system's error. */
const SHARED_ERRORS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports a fault',
  EBUSY: 'something else uses it',
}

/** Why a folder cannot be used. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ...SHARED_ERRORS,
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user has no room left on the disk',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'no folder can be made there',
}

/** Why a file cannot be written. */
const WRITE_ERRORS: Readonly<Record<string, string>> = {
  ...FILE_ERRORS,
  ENOENT: 'its folder is not there',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it is there already',
}

/** Why a file cannot be read. */
const READ_ERRORS: Readonly<Record<string, string>> = {
  ...SHARED_ERRORS,
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is not a folder',
}

/** Why nobody can listen at an address. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EADDRINUSE: 'something else listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up just now',
}

/** Why another program cannot be reached, by the code of the system. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'it hangs up',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up just now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  EPIPE: 'it hangs up',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody whom this machine trusts has signed its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody whom this machine trusts has signed its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody whom this machine trusts has signed its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody whom this machine trusts has signed its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** WASI's numbers of the errors that the embedded database meets, as the codes of the system. */
const WASI_ERRORS: Readonly<Record<number, string>> = { 2: 'EACCES', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

/** The system's code of an error, such as ENOENT, also where the embedded database gives WASI's number; empty without one. */
const codeOf = (error: unknown): string => {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  if (typeof code === 'string') return code
  return typeof errno === 'number' ? (WASI_ERRORS[errno] ?? '') : ''
}

/** Says in words why a file or folder cannot be used; undefined for any other error. */
export const fileErrorText = (error: unknown): string | undefined => FILE_ERRORS[codeOf(error)]

/** The words for an error that no table knows: with its code, where it has one. */
const refusedText = (error: unknown): string => {
  const code = codeOf(error)
  return code === '' ? 'the system refuses it' : `the system refuses it (${code})`
}

/** Says why a file cannot be written; without words for it, with the system's code. */
export const writeErrorText = (error: unknown): string => WRITE_ERRORS[codeOf(error)] ?? refusedText(error)

/** Says why a file cannot be read; without words for it, with the system's code. */
export const readErrorText = (error: unknown): string => READ_ERRORS[codeOf(error)] ?? refusedText(error)

/** Says why nobody can listen at an address; without words for it, with the system's code. */
export const listenErrorText = (error: unknown): string => LISTEN_ERRORS[codeOf(error)] ?? refusedText(error)

/** Says in words why another program cannot be reached; undefined for any other error. */
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
    // Another process made it meanwhile; or it is a link to nowhere.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(path)) throw error
  }
}
