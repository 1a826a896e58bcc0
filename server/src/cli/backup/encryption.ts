import { createReadStream } from 'node:fs'
import { Duplex, Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { OperatorError } from '../../kit/api-error.ts'

/** The first bytes of a file that age encrypted. */
export const AGE_MAGIC = 'age-encryption.org/v1\n'

/** Loads the library age, once: a running server does not need it. */
const loadAge = () => import('age-encryption')

/**
 * A stream that encrypts a backup for the holders of any of these keys.
 * @param recipients public keys of age: `age1…`
 * @throws OperatorError when one of them is no such key
 */
export const createEncryption = async (recipients: readonly string[]): Promise<Duplex> => {
  const { Encrypter } = await loadAge()
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (error) {
      // The value is not repeated: it may be the secret key, given by mistake.
      throw new OperatorError('--recipient takes the public key that age-keygen prints; it begins with age1. This is none.', {
        cause: error,
      })
    }
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  return Duplex.fromWeb({ readable: (await encrypter.encrypt(readable)) as WebStream, writable })
}

/** The secret keys of age in a file's text, as age-keygen writes it. @throws OperatorError when there is none, or one is damaged */
export const parseIdentities = async (text: string, path: string): Promise<string[]> => {
  const identities = text.split(/\r?\n/).filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0) throw new OperatorError(`${path} holds no key of age: a line that begins with AGE-SECRET-KEY-.`)
  await createDecrypter(identities).catch((error: unknown) => {
    throw new OperatorError(`A key in ${path} is damaged.`, { cause: error })
  })
  return identities
}

/** A decrypter of age that tries each of these secret keys. Rejects with the error of age for a damaged key. */
const createDecrypter = async (identities: readonly string[]) => {
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return decrypter
}

/**
 * The content of an encrypted file as a stream, which fails where the file was changed or cut.
 * @throws OperatorError when none of the keys opens it, or its beginning is damaged
 */
export const decryptFile = async (path: string, identities: readonly string[]): Promise<Readable> => {
  const decrypter = await createDecrypter(identities)
  const file = createReadStream(path)
  try {
    const content = await decrypter.decrypt(Readable.toWeb(file) as ReadableStream<Uint8Array>)
    return Readable.fromWeb(content as WebStream)
  } catch (error) {
    file.destroy()
    throw new OperatorError(
      (error as Error).message.startsWith('no identity matched')
        ? `${path} is encrypted for another key than that of --identity.`
        : `The backup ${path} is cut or damaged.`,
      { cause: error },
    )
  }
}
