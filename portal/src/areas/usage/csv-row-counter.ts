/** Counts the records of a CSV file that arrives in chunks of any size. */
export interface CsvRowCounter {
  /** Reads the next chunk. */
  add(chunk: Uint8Array): void
  /** The number of complete records, without the header line. */
  rows(): number
  /** True when the last chunk ends with the end of a record. */
  isAtEnd(): boolean
}

const QUOTE = 0x22
const LINE_FEED = 0x0a

/**
 * A counter that starts at zero. A record ends with a line feed outside quotes. A doubled quote toggles twice, and no byte of a
 * multi-byte UTF-8 character equals a quote or a line feed.
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
