/** Counts the records of a CSV file while it comes in, in pieces cut anywhere. */
export interface CsvRowCounter {
  /** Takes the next piece. */
  add(chunk: Uint8Array): void
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
export const createCsvRowCounter = (): CsvRowCounter => {
  let endedLines = 0
  let isQuoted = false
  let isAtEnd = false
  return {
    add: (chunk) => {
      for (const byte of chunk) {
        if (byte === QUOTE) isQuoted = !isQuoted
        isAtEnd = byte === LINE_FEED && !isQuoted
        if (isAtEnd) endedLines += 1
      }
    },
    rows: () => Math.max(0, endedLines - 1),
    isAtEnd: () => isAtEnd,
  }
}
