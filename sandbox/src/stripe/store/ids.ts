import { createHash, randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits that nobody can guess. */
export const random = (length: number): string => Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')

/** A new id: the kind's prefix and 24 letters and digits. */
export const newId = (prefix: string): string => `${prefix}_${random(24)}`

/** Letters that are always the same for the same text. */
export const digest = (text: string, length = 16): string => createHash('sha256').update(text).digest('hex').slice(0, length)
