import { randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Unguessable letters and digits. */
export const randomText = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Unguessable digits. */
export const randomDigits = (length: number): string => Array.from({ length }, () => String(randomInt(10))).join('')
