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
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './api-error.ts'

/** Everything secret that the server derives from its one master key. */
export interface Keys {
  /** Ed25519: signs and checks access tokens. */
  readonly tokenPrivate: KeyObject
  readonly tokenPublic: KeyObject
  /** Keyed hash for a named purpose: refresh tokens, rate-limit subjects, the password pepper, mailed links, the audit log's seals, payment submissions, known devices, sign-ons under way, the key's own mark. */
  mac(
    purpose: 'refresh' | 'limit' | 'pepper' | 'pay-token' | 'link' | 'audit' | 'submit' | 'device' | 'known-address' | 'sign-on' | 'mark',
    ...parts: readonly (string | Uint8Array)[]
  ): Buffer
  /** Seals a secret so that it can be kept in the database: AES-256-GCM, bound to what it belongs to. */
  seal(belongsTo: string, secret: string): Buffer
  /** @throws Error when it was sealed under another master key, for something else, or was changed since */
  open(belongsTo: string, sealed: Uint8Array): string
}

const MASTER_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** PKCS #8 for Ed25519 (RFC 8410 §7) up to the key's own 32 bytes. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Reads the master key of a data folder; makes it on first start, readable by its owner alone. */
export const readOrCreateMasterKey = (folder: string): Buffer => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'master.key')
  try {
    return readKeyFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Written aside and linked: two processes that start together agree on one key, and half a key is never seen.
  const temporaryFile = `${file}.${randomUUID()}` // no leftover of a crash stands in its way
  writeFileSync(temporaryFile, randomBytes(MASTER_BYTES).toString('hex'), { mode: 0o400, flag: 'wx', flush: true })
  try {
    linkSync(temporaryFile, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporaryFile, { force: true })
  }
  return readKeyFile(file)
}

const readKeyFile = (file: string): Buffer => {
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new OperatorError(`The master key in ${file} is damaged: it must be 64 hexadecimal digits. Restore it from a backup.`)
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o400)
  return Buffer.from(text, 'hex')
}

export const deriveKeys = (master: Buffer): Keys => {
  const deriveKey = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', `counterfoil ${purpose}`, 32))
  const deriveMacKey = (purpose: string): KeyObject => createSecretKey(deriveKey(purpose)) // made ready once, not for each hash
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
        mac.update(`${bytes.length}:`).update(bytes) // with lengths, so that ("a","bc") and ("ab","c") differ
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
