const MAX_CHARACTERS = 100

/** What Windows, macOS or a browser forbids in a name, or what would let a name look like another one. */
const FORBIDDEN = /[/\\:*?"<>|\p{Cc}]+/gu
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A text as the name of a file, without its ending: the one name that a file has in a header, in a ZIP and on the disk. Letters of every
 * script stay, and "_" takes the place of what a system forbids.
 */
export const toFileName = (text: string): string =>
  Array.from(
    text
      .normalize('NFC')
      .replace(DIRECTION_MARKS, '')
      .replace(FORBIDDEN, '_')
      .replace(/^[. ]+/, ''),
  )
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/[. ]+$/, '') || '_'
