import { isUtf8 } from 'node:buffer'

/** One line of a file, counted from 1, without its end; or why it cannot be read. */
export type TextLine = { readonly line: number; readonly text: string } | { readonly line: number; readonly reason: string }

const MAX_LINE_BYTES = 1_048_576
const PIECE_BYTES = 65_536
const LF = 10

/**
 * The lines of a file in batches, in bounded memory: a line beyond 1 MiB is passed over, and one that is not text stays by itself.
 * Lines end with LF, or CR and LF. A byte order mark is taken off.
 */
export async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly TextLine[]> {
  let line = 1
  let pending: Buffer[] = [] // the beginning of a line whose end has not come yet
  let length = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = Buffer.from(chunk.subarray(at, at + PIECE_BYTES))
      const end = piece.lastIndexOf(LF)
      if (end >= 0) {
        const lines = splitLines(line, Buffer.concat([...pending, piece.subarray(0, end)]))
        yield length > MAX_LINE_BYTES ? [tooLongLine(line), ...lines.slice(1)] : lines
        line += lines.length
        pending = []
        length = 0
      }
      const rest = piece.subarray(end + 1)
      length += rest.length
      if (length > MAX_LINE_BYTES) pending = []
      else if (rest.length > 0) pending.push(rest)
    }
  }
  if (length > MAX_LINE_BYTES) yield [tooLongLine(line)]
  else if (length > 0) yield splitLines(line, Buffer.concat(pending))
}

const tooLongLine = (line: number): TextLine => ({ line, reason: 'it is longer than 1 MiB' })

const splitLines = (first: number, bytes: Buffer): TextLine[] => {
  if (isUtf8(bytes) && !bytes.includes(0))
    return bytes
      .toString('utf8')
      .split('\n')
      .map((text, at) => ({ line: first + at, text: stripLineEnd(text, first + at) }))
  const lines: TextLine[] = []
  for (let at = 0; at <= bytes.length; ) {
    const found = bytes.indexOf(LF, at)
    const end = found < 0 ? bytes.length : found
    lines.push(toTextLine(first + lines.length, bytes.subarray(at, end)))
    at = end + 1
  }
  return lines
}

const toTextLine = (line: number, bytes: Buffer): TextLine => {
  if (!isUtf8(bytes)) return { line, reason: 'it is not UTF-8 text' }
  if (bytes.includes(0)) return { line, reason: 'it holds a NUL byte' }
  return { line, text: stripLineEnd(bytes.toString('utf8'), line) }
}

const stripLineEnd = (text: string, line: number): string => {
  const start = line === 1 && text.startsWith('\uFEFF') ? 1 : 0
  return text.endsWith('\r') ? text.slice(start, -1) : text.slice(start)
}
