import { createHash, randomBytes } from 'node:crypto'

/** The first hex digits of the text's SHA-256. */
export const shortHash = (text: string, length = 32): string => createHash('sha256').update(text).digest('hex').slice(0, length)

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'

/** Unguessable capitals and digits. */
export const randomText = (length: number): string => Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')
