import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The public key of the sandbox's Nexio, SPKI in base64, from the file of its private key, which is made unless it exists.
 * The sandbox reads and makes the same file; the demo data may be there before.
 */
export const readOrCreateEncryptionKey = (folder: string): string => {
  const file = join(folder, 'nexio-key.pem')
  if (!existsSync(file)) {
    const pem = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, pem, { mode: 0o600 })
  }
  return createPublicKey(readFileSync(file)).export({ type: 'spki', format: 'der' }).toString('base64')
}
