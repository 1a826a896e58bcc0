/** Counts rows and says from time to time how far a pass over the file is. */
export interface Progress {
  watch(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  row(): void
  /** Says where the pass ended. */
  done(): void
}

const STEP_PERCENT = 10
const STEP_ROWS = 10_000

/**
 * The progress of one pass: a word every 10,000 rows at most, and no more than ten where the file's size is known; then one at the end.
 * @param verb what was done to the rows, as in "Checked"
 */
export const newProgress = (verb: string, bytes: number | null, say: (words: string) => void): Progress => {
  let rows = 0
  let read = 0
  let said = 0
  const counted = (): string => `${verb} ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
  return {
    async *watch(source) {
      for await (const chunk of source) {
        read += chunk.length
        yield chunk
      }
    },
    row: () => {
      rows += 1
      if (rows % STEP_ROWS !== 0) return
      if (bytes === null) return say(`${counted()} …`)
      const percent = Math.min(99, Math.floor((read * 100) / bytes))
      if (percent < said + STEP_PERCENT) return
      said = percent - (percent % STEP_PERCENT)
      say(`${counted()} (${percent}%) …`)
    },
    done: () => say(`${counted()}.`),
  }
}
