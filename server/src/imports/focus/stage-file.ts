import { toExact } from '@counterfoil/contract/kit/decimal'
import type { Store } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { CheckedFile } from './check-file.ts'
import { decompress } from '../decompress.ts'
import { type FocusFile, forEachPart } from './export-parts.ts'
import { type FocusFileHead, focusRows } from './focus-rows.ts'
import { type StagedRow, stageRows } from './focus-staging.queries.ts'
import type { Progress } from '../progress.ts'

const BATCH_ROWS = 2_000
const BATCH_EXTRAS_LENGTH = 4_000_000

/**
 * Reads checked files again and inserts their good rows into the staging table, their lines counted through all of them, so that equal rows
 * of two files are two. Each batch is a short transaction: the embedded database has a single session, which must not wait for a file.
 * @throws OperatorError when the file differs from the checked one
 */
export const stageFile = async (
  store: Store,
  importId: string,
  parts: readonly FocusFile[],
  file: CheckedFile,
  currencies: ReadonlyMap<string, string>,
  progress: Progress,
): Promise<void> => {
  const sums = new Map<string, bigint>()
  let staged = 0
  let batch: StagedRow[] = []
  let extrasLength = 0
  const flush = async (): Promise<void> => {
    const rows = batch
    batch = []
    extrasLength = 0
    if (rows.length === 0) return
    const isAlive = await store.transact({ role: 'counterfoil_system' }, (db) => stageRows(db, importId, rows), { pool: 'background' })
    if (!isAlive)
      throw new OperatorError('Another import took this one for dead, because it stood still too long. Nothing was imported; run it again.')
    staged += rows.length
  }
  const onHead = ({ rows }: FocusFileHead): void => {
    if (rows !== null && parts.length === 1) progress.expectRows(rows)
  }
  const known = new Map(currencies)
  let lastLine = 0
  await forEachPart(parts, async (part) => {
    const before = lastLine
    for await (const found of focusRows(decompress(progress.countBytes(part.open()), 'Parquet'), known, onHead)) {
      progress.row()
      if (!('row' in found)) continue
      const line = before + found.line
      lastLine = Math.max(lastLine, line)
      batch.push({ line, ...found.row })
      sums.set(found.row.currency, (sums.get(found.row.currency) ?? 0n) + toExact(found.row.price))
      for (const value of Object.values(found.row.extras ?? {})) extrasLength += value.length
      if (batch.length === BATCH_ROWS || extrasLength > BATCH_EXTRAS_LENGTH) await flush()
    }
  })
  await flush()
  if (staged !== file.rows || [...file.sums].some(([currency, sum]) => sums.get(currency) !== sum))
    throw new OperatorError(
      'The file changed while it was read, or it can be read only once (a pipe). Nothing was imported; give a file that stands still.',
    )
}
