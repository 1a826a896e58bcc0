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
 * The progress of one pass: a word every tenth of the file (every 10,000 rows where its size is not known), and one at the end.
 * @param verb what is done to the rows, as in "Checked"
 */
export const newProgress = (verb: string, bytes: number | null, say: (words: string) => void): Progress => {
  let rows = 0
  let read = 0
  let said = 0
  const counted = (): string => `${verb} ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
  const isTime = (percent: number): boolean => (bytes === null ? rows % STEP_ROWS === 0 : percent >= said + STEP_PERCENT && percent < 100)
  return {
    async *watch(source) {
      for await (const chunk of source) {
        read += chunk.length
        yield chunk
      }
    },
    row: () => {
      rows += 1
      const percent = bytes === null || bytes === 0 ? 0 : Math.floor((read * 100) / bytes)
      if (!isTime(percent)) return
      said = percent - (percent % STEP_PERCENT)
      say(bytes === null ? `${counted()} …` : `${counted()} (${said}%) …`)
    },
    done: () => say(`${counted()}.`),
  }
}
