import { type LoadRow, loadRows, type LoadTarget } from '../../db/copy-in.ts'
import type { DbRole, Store } from '../../db/database.ts'
import { decompress } from '../decompress.ts'
import { createProgress } from '../progress.ts'
import { type FileNotes, type RecordLine, recordLines } from '../record-lines.ts'
import type { RecordShape } from '../record-shape.rules.ts'
import type { ImportFile, ImportOptions } from './run-import.ts'

/** The lines of a file in its staging table. */
export interface StagedRecords extends FileNotes {
  /** All rows, bad ones included. */
  readonly rows: number
}

/**
 * Reads a file of records, CSV or JSON lines, once and in bounded memory into a staging table, bad lines with their reasons.
 * @throws OperatorError when it cannot be read
 */
export const stageRecords = async <T>(
  { store, as, target }: { readonly store: Store; readonly as: DbRole; readonly target: LoadTarget },
  source: ImportFile,
  shape: RecordShape<T>,
  toStagingRow: (line: RecordLine<T>) => LoadRow,
  { progress: report, stopped }: ImportOptions,
): Promise<StagedRecords> => {
  const progress = createProgress('Read', source.bytes, report, stopped)
  const notes: FileNotes = { rounded: 0 }
  let rows = 0
  const stagingRows = async function* (): AsyncGenerator<LoadRow[]> {
    for await (const lines of recordLines(decompress(progress.countBytes(source.open())), shape, notes)) {
      rows += lines.length
      for (let at = 0; at < lines.length; at += 1) progress.row()
      yield lines.map(toStagingRow)
    }
  }
  await loadRows(store, as, target, stagingRows())
  progress.done()
  return { rows, ...notes }
}
