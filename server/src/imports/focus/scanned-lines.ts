import { isUtf8 } from 'node:buffer'
import { OperatorError } from '../../kit/api-error.ts'

const LINE_BYTES = 1_048_576
const PIECE_BYTES = 65_536
const LF = 10

/** What is known of the lines of a file while its bytes pass by. Lines count from 1 and end with LF, in quotes or not. */
export interface ScannedLines {
  /** The bytes in pieces of at most 64 kB, looked at on the way. @throws OperatorError at a line beyond 1 MiB */
  pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer>
  /** The line that the byte at this offset stands on. Offsets must not go back by more than one record. */
  lineAt(offset: number): number
  /** The first reason why one of these lines is not text, and on which it stands. */
  fault(first: number, last: number): { readonly line: number; readonly reason: string } | undefined
  /** Lines before this one are done with. */
  forget(line: number): void
  /** Once all bytes have passed: does the last line end as a line should? */
  endsWhole(): boolean
}

/** Watches the bytes for what a CSV reader overlooks: text that is not UTF-8, NUL bytes, and where lines begin. */
export const scannedLines = (): ScannedLines => {
  const starts: number[] = [0] // offsets at which lines begin, from line `firstKept` on
  let firstKept = 1
  let offset = 0
  const faults = new Map<number, string>()

  const inspect = (from: number, line: Buffer): void => {
    if (!isUtf8(line)) faults.set(from, 'it is not UTF-8 text')
    else if (line.includes(0)) faults.set(from, 'it holds a NUL byte')
  }
  const inspectEach = (from: number, lines: Buffer): void => {
    if (isUtf8(lines) && !lines.includes(0)) return
    for (let at = 0, line = from; at < lines.length; line += 1) {
      const end = lines.indexOf(LF, at)
      const next = end < 0 ? lines.length : end + 1
      inspect(line, lines.subarray(at, next))
      at = next
    }
  }
  const noteStarts = (piece: Buffer): void => {
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) starts.push(offset + at + 1)
    offset += piece.length
  }

  return {
    async *pass(source) {
      let open = Buffer.alloc(0) // the beginning of a line whose end has not come yet
      let line = 1
      for await (const chunk of source) {
        for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
          const piece = Buffer.from(chunk.subarray(at, at + PIECE_BYTES))
          const whole = Buffer.concat([open, piece])
          const end = whole.lastIndexOf(LF) + 1
          open = whole.subarray(end)
          if (open.length > LINE_BYTES) throw new OperatorError(`line ${line}: it is longer than 1 MiB; this is not a FOCUS file`)
          inspectEach(line, whole.subarray(0, end))
          noteStarts(piece)
          line = firstKept + starts.length - 1
          yield piece
        }
      }
      inspectEach(line, open)
    },
    lineAt(at) {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((starts[middle] ?? 0) <= at) low = middle
        else high = middle - 1
      }
      return firstKept + low
    },
    fault(first, last) {
      if (faults.size === 0) return undefined
      for (let line = first; line <= last; line += 1) {
        const reason = faults.get(line)
        if (reason !== undefined) return { line, reason }
      }
      return undefined
    },
    endsWhole: () => starts.at(-1) === offset,
    forget(line) {
      const done = line - firstKept
      if (done < 10_000) return // in batches: moving the rest costs
      starts.splice(0, done)
      firstKept += done
      for (const old of faults.keys()) if (old < line) faults.delete(old)
    },
  }
}
