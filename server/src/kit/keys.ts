import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './api-error.ts'
import { makeFolder } from './system-errors.ts'

/** The keys that the server derives from its master key. */
export interface Keys {
  /** Ed25519: signs and verifies access tokens. */
  readonly tokenPrivate: KeyObject
  readonly tokenPublic: KeyObject
  /** A keyed hash (HMAC-SHA256) for a named purpose; different purposes have independent keys. */
  mac(
    purpose: 'refresh' | 'limit' | 'pepper' | 'pay-token' | 'link' | 'audit' | 'submit' | 'device' | 'known-address' | 'sign-on' | 'mark',
    ...parts: readonly (string | Uint8Array)[]
  ): Buffer
  /** Encrypts a secret for the database: AES-256-GCM, with what it belongs to as additional data. */
  seal(belongsTo: string, secret: string): Buffer
  /** @throws Error when it was sealed under another master key or for something else, or was changed since */
  open(belongsTo: string, sealed: Uint8Array): string
}

const MASTER_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The PKCS #8 prefix of an Ed25519 key (RFC 8410 §7), followed by the 32 bytes of the key. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The path of the file in a data folder that keeps its master key. */
export const masterKeyFile = (folder: string): string => join(folder, 'master.key')

/** The master key of a data folder; null where there is none. @throws OperatorError when its file is damaged */
export const readMasterKey = (folder: string): Buffer | null => {
  try {
    return readKeyFile(masterKeyFile(folder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Creates the master key of a data folder, readable by its owner alone.
 * @returns the key, and whether this call made it: of several that start together one does, and all get the same
 */
export const createMasterKey = (folder: string): { master: Buffer; isMade: boolean } => {
  makeFolder(folder)
  const file = masterKeyFile(folder)
  // A temporary file is linked into place: processes that start together agree on one key, and nobody reads half of it.
  const temporaryFile = `${file}.${randomUUID()}` // a random name, so that a file left by a crash does not conflict
  let isMade = true
  try {
    writeFileSync(temporaryFile, randomBytes(MASTER_BYTES).toString('hex'), { mode: 0o400, flag: 'wx', flush: true })
    linkSync(temporaryFile, file)
    flushFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    isMade = false
  } finally {
    rmSync(temporaryFile, { force: true })
  }
  return { master: readKeyFile(file), isMade }
}

/** Waits until the folder's entries are on the disk: a database must not outlive the name of its key. */
const flushFolder = (folder: string): void => {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The key in a file, which is made readable by its owner alone. @throws OperatorError when it is damaged; the system's error */
const readKeyFile = (file: string): Buffer => {
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new OperatorError(`The master key in ${file} is damaged: it must be 64 hexadecimal digits. Restore it from a backup.`)
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o400)
  return Buffer.from(text, 'hex')
}

/** Derives all keys from the master key. Stores nothing, and is the same at each start. */
export const deriveKeys = (master: Buffer): Keys => {
  const deriveKey = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', `counterfoil ${purpose}`, 32))
  const deriveMacKey = (purpose: string): KeyObject => createSecretKey(deriveKey(purpose)) // created once instead of for each hash
  const macKeys = {
    refresh: deriveMacKey('refresh'),
    limit: deriveMacKey('limit'),
    pepper: deriveMacKey('pepper'),
    'pay-token': deriveMacKey('pay-token'),
    link: deriveMacKey('link'),
    'sign-on': deriveMacKey('sign-on'),
    audit: deriveMacKey('audit'),
    submit: deriveMacKey('submit'),
    device: deriveMacKey('device'),
    'known-address': deriveMacKey('known-address'),
    mark: deriveMacKey('mark'),
  }
  const sealKey = deriveKey('seal')
  const tokenPrivate = createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, deriveKey('access token')]), format: 'der', type: 'pkcs8' })
  return {
    tokenPrivate,
    tokenPublic: createPublicKey(tokenPrivate),
    mac: (purpose, ...parts) => {
      const mac = createHmac('sha256', macKeys[purpose])
      for (const part of parts) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part
        mac.update(`${bytes.length}:`).update(bytes) // length prefixes make ("a","bc") and ("ab","c") differ
      }
      return mac.digest()
    },
    seal: (belongsTo, secret) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(belongsTo))
      const bytes = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), bytes])
    },
    open: (belongsTo, sealed) => {
      const [nonce, tag, bytes] = [
        sealed.subarray(0, NONCE_BYTES),
        sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
        sealed.subarray(NONCE_BYTES + TAG_BYTES),
      ]
      const cipher = createDecipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(belongsTo))
        .setAuthTag(tag)
      return Buffer.concat([cipher.update(bytes), cipher.final()]).toString('utf8')
    },
  }
}
