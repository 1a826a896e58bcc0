import { OperatorError } from '../kit/api-error.ts'

/** Counts rows and reports the progress of a pass over the file. */
export interface Progress {
  countBytes(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** The file says how many rows it has: the share is that of rows from now on. */
  expectRows(total: number): void
  /** @throws OperatorError once the import is to stop */
  row(): void
  /** Reports the final count. */
  done(): void
}

/** @throws OperatorError once an import of which nothing is stored yet is to stop */
export const assertNotStopped = (stopped: AbortSignal | undefined): void => {
  if (stopped?.aborted === true) throw new OperatorError('Stopped. Nothing was imported.')
}

const STEP_PERCENT = 10
const STEP_ROWS = 10_000

/**
 * Makes a counter of rows that reports in words: at most every `STEP_ROWS` rows, at most ten times when the file's size is known, and at
 * the end.
 * @param verb what happens to the rows, such as "Checked"
 * @param stopped aborts when the import is to stop
 */
export const createProgress = (verb: string, bytes: number | null, report: (words: string) => void, stopped?: AbortSignal): Progress => {
  let rows = 0
  let read = 0
  let reportedPercent = 0
  let total: number | null = null
  const summary = (): string => `${verb} ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
  return {
    async *countBytes(source) {
      for await (const chunk of source) {
        read += chunk.length
        yield chunk
      }
    },
    expectRows: (expected) => {
      total = expected
    },
    row: () => {
      rows += 1
      assertNotStopped(stopped)
      if (rows % STEP_ROWS !== 0) return
      if (bytes === null && total === null) return report(`${summary()} …`)
      const share = total === null ? read / (bytes ?? read) : rows / total
      const percent = Math.min(99, Math.floor(share * 100))
      if (percent < reportedPercent + STEP_PERCENT) return
      reportedPercent = percent - (percent % STEP_PERCENT)
      report(`${summary()} (${percent}%) …`)
    },
    done: () => report(`${summary()}.`),
  }
}
