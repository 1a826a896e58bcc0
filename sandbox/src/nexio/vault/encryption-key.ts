import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validationError } from '../api/nexio-error.ts'

/** PKCS #1 v1.5 (RFC 8017, 7.2.2): 00 02, at least eight bytes that are not 0, 00, the text. */
const MIN_TEXT_START = 11

/** The RSA key with which browsers encrypt card and account numbers; made at first use and kept in `<dir>/nexio-key.pem`. */
export class EncryptionKey {
  readonly #dir: string
  #key: KeyObject | undefined

  constructor(dir: string) {
    this.#dir = dir
  }

  /** The public key, SPKI in base64. */
  get publicKey(): string {
    return createPublicKey(this.#privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  }

  /**
   * The digits that were encrypted.
   * @throws NexioError when it is not a text of this key
   */
  decryptDigits(encrypted: string, path: string): string {
    const padded = this.#decryptBlock(encrypted)
    const end = padded?.indexOf(0, 2) ?? -1
    const digits = padded === undefined || end + 1 < MIN_TEXT_START ? '' : padded.toString('latin1', end + 1)
    if (padded?.[0] !== 0 || padded[1] !== 2 || !/^\d+$/.test(digits)) throw validationError(`"${path}" could not be decrypted`)
    return digits
  }

  /** Node rejects PKCS #1 v1.5 when it decrypts, so the padding stays and is removed by the caller. */
  #decryptBlock(encrypted: string): Buffer | undefined {
    try {
      return privateDecrypt({ key: this.#privateKey, padding: constants.RSA_NO_PADDING }, Buffer.from(encrypted, 'base64'))
    } catch {
      return undefined
    }
  }

  get #privateKey(): KeyObject {
    this.#key ??= createPrivateKey(this.#readOrCreatePem())
    return this.#key
  }

  #readOrCreatePem(): string {
    const file = join(this.#dir, 'nexio-key.pem')
    if (existsSync(file)) return readFileSync(file, 'utf8')
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    mkdirSync(this.#dir, { recursive: true })
    writeFileSync(file, pem, { mode: 0o600 })
    return pem
  }
}
