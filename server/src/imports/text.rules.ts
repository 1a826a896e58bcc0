import { BadRow, shown } from './bad-row.ts'

/** Bytes that an identifier may have: indexes hold no more than about 2,700. */
export const ID_BYTES = 1_024
export const NAME_BYTES = 256
export const TEXT_BYTES = 2_000

/** Exports write an absent value as nothing or as the word NULL. */
export const present = (raw: string): string | null => {
  const text = raw.trim()
  return text === '' || text === 'NULL' ? null : text
}

/** Nearly every value is of these letters alone, which need no closer look. */
const PLAIN = /^[ -~]*$/

/**
 * A value as it may be kept: trimmed, its line ends and tabs made spaces; null where it is absent.
 * @throws BadRow when it holds a control character or is longer than so many bytes
 */
export const textOf = (column: string, raw: string, bytes: number): string | null => {
  const isPlain = PLAIN.test(raw)
  const text = present(isPlain ? raw : raw.replaceAll(/[\t\r\n]+/g, ' '))
  if (text === null) return null
  if (!isPlain && (/\p{Cc}/u.test(text) || !text.isWellFormed())) throw new BadRow(`${column}: ${shown(text)} holds a control character`)
  if (text.length > bytes || (!isPlain && Buffer.byteLength(text) > bytes))
    throw new BadRow(`${column}: ${shown(text)} is longer than ${bytes} bytes`)
  return text
}
