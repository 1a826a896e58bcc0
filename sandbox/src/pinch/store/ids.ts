import { randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** A new id such as `pmt_GhJwoSz4fRggDb`. */
export const newId = (prefix: string, length = 14): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`

/** An instant as Pinch writes it, with seven digits of a second. */
export const toInstant = (ms: number): string => new Date(ms).toISOString().replace('Z', '0000Z')
