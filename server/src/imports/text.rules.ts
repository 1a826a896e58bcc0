import { BadRow, quoteValue } from './bad-row.ts'

/** Bytes that an identifier may have: indexes hold no more than about 2,700. */
export const MAX_ID_BYTES = 1_024
export const MAX_NAME_BYTES = 256
export const MAX_TEXT_BYTES = 2_000

/** Exports write an absent value as nothing or as the word NULL. */
export const toNullIfAbsent = (raw: string): string | null => {
  const text = raw.trim()
  return text === '' || text === 'NULL' ? null : text
}

/** Nearly every value is of these letters alone, which need no closer look. */
const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * A value as it may be kept: trimmed, its line ends and tabs made spaces; null where it is absent.
 * @throws BadRow when it holds a control character or is longer than so many bytes
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
