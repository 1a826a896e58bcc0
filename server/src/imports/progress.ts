/** Counts rows and reports the progress of a pass over the file. */
export interface Progress {
  countBytes(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  row(): void
  /** Reports the final count. */
  done(): void
}

const STEP_PERCENT = 10
const STEP_ROWS = 10_000

/**
 * Reports at most every 10,000 rows, at most ten times when the file's size is known, and at the end.
 * @param verb what happens to the rows, such as "Checked"
 */
export const createProgress = (verb: string, bytes: number | null, report: (words: string) => void): Progress => {
  let rows = 0
  let read = 0
  let reportedPercent = 0
  const summary = (): string => `${verb} ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
  return {
    async *countBytes(source) {
      for await (const chunk of source) {
        read += chunk.length
        yield chunk
      }
    },
    row: () => {
      rows += 1
      if (rows % STEP_ROWS !== 0) return
      if (bytes === null) return report(`${summary()} …`)
      const percent = Math.min(99, Math.floor((read * 100) / bytes))
      if (percent < reportedPercent + STEP_PERCENT) return
      reportedPercent = percent - (percent % STEP_PERCENT)
      report(`${summary()} (${percent}%) …`)
    },
    done: () => report(`${summary()}.`),
  }
}
