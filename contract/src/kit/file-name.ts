/** Of the 255 that file systems take, so that an ending and a number fit. */
const MAX_BYTES = 200

/** What Windows, macOS or a browser forbids in a name, or what would let a name look like another one. */
const FORBIDDEN = /[/\\:*?"<>|\p{Cc}]+/gu
/** All marks that are not seen but those that join letters. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu

/**
 * A text as the name of a file, without its ending: the one name that a file has in a header, in a ZIP and on the disk. Letters of every
 * script stay, and "_" takes the place of what a system forbids.
 */
export const toFileName = (text: string): string => {
  const name = text
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(FORBIDDEN, '_')
    .replace(/^[. ]+/, '')
  return firstBytes(name).replace(/[. ]+$/, '') || '_'
}

/** The beginning of a name, in whole characters, that takes at most MAX_BYTES in UTF-8. */
const firstBytes = (name: string): string => {
  let bytes = 0
  let kept = ''
  for (const character of name) {
    bytes += utf8Length(character.codePointAt(0) ?? 0)
    if (bytes > MAX_BYTES) break
    kept += character
  }
  return kept
}

/** The number of bytes that UTF-8 needs for the code point. */
const utf8Length = (codePoint: number): number => (codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4)
