/** Counts the records of a CSV file while it comes in, in pieces cut anywhere. */
export interface RowCount {
  /** Takes the next piece. */
  add(piece: Uint8Array): void
  /** The records that have come whole, without the line of headings. */
  rows(): number
  /** Does what has come so far end with the end of a record? */
  isAtEnd(): boolean
}

const QUOTE = 0x22
const LINE_FEED = 0x0a

/**
 * A count that starts at nothing. A record ends with a line feed outside quotes; a doubled quote opens and closes again,
 * and none of the bytes of a longer UTF-8 character looks like either.
 */
export const rowCount = (): RowCount => {
  let ended = 0
  let isQuoted = false
  let isAtEnd = false
  return {
    add: (piece) => {
      for (const byte of piece) {
        if (byte === QUOTE) isQuoted = !isQuoted
        isAtEnd = byte === LINE_FEED && !isQuoted
        if (isAtEnd) ended += 1
      }
    },
    rows: () => Math.max(0, ended - 1),
    isAtEnd: () => isAtEnd,
  }
}
