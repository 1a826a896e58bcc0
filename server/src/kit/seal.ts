import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keys } from './keys.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret for the database (AES-256-GCM under a key of its own).
 * @param about what the secret belongs to; it opens under the same words alone, so that it is worth nothing in another row
 */
export const seal = (keys: Keys, about: string, secret: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keys.mac('seal', about), nonce)
  const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), hidden])
}

/** The secret that was sealed. @throws Error when it was changed, belongs elsewhere, or was sealed under another master key */
export const unseal = (keys: Keys, about: string, sealed: Buffer): string => {
  if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Error('a sealed secret has an unknown form')
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const hidden = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keys.mac('seal', about), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
}
