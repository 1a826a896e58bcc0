import { BadRow, quoteValue } from './bad-row.ts'

/** Below the limit of a B-tree index entry, which is about 2,700 bytes. */
export const MAX_ID_BYTES = 1_024
export const MAX_NAME_BYTES = 256
export const MAX_TEXT_BYTES = 2_000

/** The trimmed text; null for nothing and for the word NULL, as exports write a missing value. */
export const toNullIfAbsent = (raw: string): string | null => {
  const text = raw.trim()
  return text === '' || text === 'NULL' ? null : text
}

/** Fast path: nearly every value is printable ASCII and needs no further check. */
const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * Parses a text: trims it, and replaces line ends and tabs by spaces.
 * @returns null for an empty text and for the word NULL
 * @throws BadRow when the text contains a control character or half a surrogate pair, or is longer than `maxBytes`
 */
export const parseText = (column: string, raw: string, maxBytes: number): string | null => {
  const isPlain = PRINTABLE_ASCII.test(raw)
  const text = toNullIfAbsent(isPlain ? raw : raw.replaceAll(/[\t\r\n]+/g, ' '))
  if (text === null) return null
  if (!isPlain && (/\p{Cc}/u.test(text) || !text.isWellFormed()))
    throw new BadRow(`${column}: ${quoteValue(text)} holds a control character`)
  if (text.length > maxBytes || (!isPlain && Buffer.byteLength(text) > maxBytes))
    throw new BadRow(`${column}: ${quoteValue(text)} is longer than ${maxBytes} bytes`)
  return text
}
