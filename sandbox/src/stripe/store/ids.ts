import { createHash, randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Unguessable letters and digits. */
export const randomText = (length: number): string => Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** A new id: the prefix and 24 random letters and digits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`

/** The first hex digits of the text's SHA-256. */
export const shortHash = (text: string, length = 16): string => createHash('sha256').update(text).digest('hex').slice(0, length)
