import { isUtf8 } from 'node:buffer'

/** One line of a file, counted from 1. */
export interface TextLine {
  readonly line: number
  readonly text: string
  /** What ended the line; nothing at the end of a file that was cut. */
  readonly end: '\n' | '\r\n' | ''
  /** Why the line cannot be used. */
  readonly reason?: string
}

/** The reason for a line beyond 1 MiB; its text is dropped. */
export const TOO_LONG_LINE = 'it is longer than 1 MiB'

const MAX_LINE_BYTES = 1_048_576
const PIECE_BYTES = 65_536
const LF = 10
const CR = 13
const QUOTE = 34

/**
 * Reads the lines of a file in batches, in bounded memory: a line beyond 1 MiB, or one that is not text, comes with a reason instead of
 * being thrown. Lines end with LF, or CR and LF; with CR alone in a file whose first line does. A byte order mark is taken off.
 */
export async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly TextLine[]> {
  let line = 1
  let pending: Buffer[] = [] // the beginning of a line whose end has not come yet
  let length = 0
  for await (const chunk of withLineFeeds(source)) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = Buffer.from(chunk.subarray(at, at + PIECE_BYTES))
      const end = piece.lastIndexOf(LF)
      if (end >= 0) {
        const lines = splitLines(line, Buffer.concat([...pending, piece.subarray(0, end)]))
        yield length > MAX_LINE_BYTES ? lines.slice(1) : lines
        line += lines.length
        pending = []
        length = 0
      }
      const rest = piece.subarray(end + 1)
      if (length <= MAX_LINE_BYTES && length + rest.length > MAX_LINE_BYTES) yield [{ line, text: '', end: '\n', reason: TOO_LONG_LINE }]
      length += rest.length
      if (length > MAX_LINE_BYTES) pending = []
      else if (rest.length > 0) pending.push(rest)
    }
  }
  if (length > 0 && length <= MAX_LINE_BYTES) yield [toTextLine(line, Buffer.concat(pending), false)]
}

/** The file with LF in place of each CR, where its first line ends with CR alone: so Excel saves "CSV (Macintosh)". */
async function* withLineFeeds(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0)
  let isMac: boolean | undefined
  for await (const chunk of source) {
    if (isMac === undefined) {
      head = Buffer.concat([head, chunk])
      isMac = endsWithCr(head) ?? (head.length > MAX_LINE_BYTES ? false : undefined)
      if (isMac !== undefined) yield isMac ? head.map(toLineFeed) : head
    } else yield isMac ? chunk.map(toLineFeed) : chunk
  }
  if (isMac === undefined) yield head
}

const toLineFeed = (byte: number): number => (byte === CR ? LF : byte)

/** Whether the first line end outside quotes is a CR alone; undefined while it has not come. Several CR before a LF are one line end. */
const endsWithCr = (head: Uint8Array): boolean | undefined => {
  let isQuoted = false
  let isCr = false
  for (const byte of head) {
    if (isCr && byte !== CR) return byte !== LF
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (byte === LF) return false
    else isCr = byte === CR
  }
  return undefined
}

/** The lines in these bytes, which are cut at LF, numbered from `first`. */
const splitLines = (first: number, bytes: Buffer): TextLine[] => {
  if (isUtf8(bytes) && !bytes.includes(0))
    return bytes
      .toString('utf8')
      .split('\n')
      .map((text, at) => cutLineEnd(first + at, text, true))
  const lines: TextLine[] = []
  for (let at = 0; at <= bytes.length; ) {
    const found = bytes.indexOf(LF, at)
    const end = found < 0 ? bytes.length : found
    lines.push(toTextLine(first + lines.length, bytes.subarray(at, end), true))
    at = end + 1
  }
  return lines
}

/** A line of these bytes, with a reason where they are not UTF-8 or hold a NUL. */
const toTextLine = (line: number, bytes: Buffer, hasEnd: boolean): TextLine => {
  const found = cutLineEnd(line, bytes.toString('utf8'), hasEnd)
  if (!isUtf8(bytes)) return { ...found, reason: 'it is not UTF-8 text' }
  return bytes.includes(0) ? { ...found, reason: 'it holds a NUL byte' } : found
}

/** A line without its CR and, in the first line, without the byte order mark. */
const cutLineEnd = (line: number, text: string, hasEnd: boolean): TextLine => {
  const start = line === 1 && text.startsWith('\uFEFF') ? 1 : 0
  if (!hasEnd) return { line, text: text.slice(start), end: '' }
  return text.endsWith('\r') ? { line, text: text.slice(start, -1), end: '\r\n' } : { line, text: text.slice(start), end: '\n' }
}
