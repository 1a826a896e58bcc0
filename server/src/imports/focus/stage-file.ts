import { toExact } from '@counterfoil/contract/kit/decimal'
import { type LoadRow, loadRows } from '../../db/copy-in.ts'
import type { DbRole, Store } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { CheckedFile } from './check-file.ts'
import { decompress } from '../decompress.ts'
import { type FocusFile, forEachPart } from './export-parts.ts'
import { type FocusFileHead, focusRows } from './focus-rows.ts'
import { STAGING, toStagingRow } from './focus-staging.queries.ts'
import type { Progress } from '../progress.ts'

const BATCH_ROWS = 50

/**
 * Reads checked files again and loads their good rows into the staging table, their lines counted through all of them, so that equal rows of
 * two files are two.
 * @throws OperatorError when the file differs from the checked one
 */
export const stageFile = async (
  { store, as, importId }: { readonly store: Store; readonly as: DbRole; readonly importId: string },
  parts: readonly FocusFile[],
  file: CheckedFile,
  currencies: ReadonlyMap<string, string>,
  progress: Progress,
): Promise<void> => {
  const sums = new Map<string, bigint>()
  const known = new Map(currencies)
  let staged = 0
  let lastLine = 0
  const onHead = ({ rows }: FocusFileHead): void => {
    if (rows !== null && parts.length === 1) progress.expectRows(rows)
  }
  const stagingRows = async function* (part: FocusFile): AsyncGenerator<LoadRow[]> {
    const before = lastLine
    let batch: LoadRow[] = []
    for await (const found of focusRows(decompress(progress.countBytes(part.open()), 'Parquet'), known, onHead)) {
      progress.row()
      if (!('row' in found)) continue
      const line = before + found.line
      lastLine = Math.max(lastLine, line)
      staged += 1
      sums.set(found.row.currency, (sums.get(found.row.currency) ?? 0n) + toExact(found.row.price))
      batch.push(toStagingRow(importId, line, found.row))
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
    yield batch
  }
  await forEachPart(parts, (part) => loadRows(store, as, STAGING, stagingRows(part)))
  if (staged !== file.rows || [...file.sums].some(([currency, sum]) => sums.get(currency) !== sum))
    throw new OperatorError(
      'The file changed while it was read, or it can be read only once (a pipe). Nothing was imported; give a file that stands still.',
    )
}
