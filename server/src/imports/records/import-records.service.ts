import { randomUUID } from 'node:crypto'
import { actAsReseller, actAsSystem } from '../../db/act-as.ts'
import type { Db, Store } from '../../db/database.ts'
import { type LoadRow, loadRows } from '../../db/copy-in.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { RejectedRow } from '../bad-row.ts'
import { findReseller } from '../find-reseller.ts'
import { findBrand } from '../focus/import-tenants.ts'
import { setPayTokens } from '../../payments/payment-link.queries.ts'
import { createProgress } from '../progress.ts'
import { beginImport, finishImport } from '../undo/note-import.queries.ts'
import { requestCancelOfChanged } from '../../payments/engine/sweep.queries.ts'
import { notePrintedTexts } from './printed-texts.ts'
import { type FileNotes, type RecordLine, recordLines } from '../record-lines.ts'
import { decompress } from '../decompress.ts'
import { unprintableNames, type UnprintableNames } from '../../documents/unprintable-names.ts'
import {
  insertNew,
  countPreserved,
  linkUsers,
  saveInvoiceFile,
  updateExisting,
  findInvoicesWithoutPayToken,
} from './apply-records.queries.ts'
import { type InvoiceFiles, invoiceFiles } from './invoice-files.ts'
import { checkCurrencyDigits, markFault, setDefaultBrand, rejectContradictions, resolveReferences } from './check-lines.queries.ts'
import { fieldText, type ImportKind } from './kind.rules.ts'
import { shapeOf } from './kind-shape.rules.ts'
import { analyzeStaging, namedFiles, rejectLines, STAGING, stagedCounts, stagedFaults, preferHashJoins } from './record-staging.queries.ts'
import { closeStaging, lockImports, openStaging, renewStaging } from '../staging/staging.queries.ts'
import { toRejectedRow } from './fault-messages.rules.ts'
import { BadRecords, type RecordsDeps, type RecordsFile, type RecordsImport, type RecordsOptions } from './records-import.ts'

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {
  readonly counts: Omit<RecordsImport, 'reseller' | 'dryRun' | 'notes' | 'rounded'>

  constructor(counts: DryRunRollback['counts']) {
    super('a dry run')
    this.counts = counts
  }
}

/**
 * Imports records of a kind for a reseller. The file is read once, in bounded memory, into a staging table; one transaction checks
 * every line and applies all or nothing. A record is identified by its key: importing a file again changes nothing.
 * @throws BadRecords when lines are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const importRecords = async (
  deps: RecordsDeps,
  kind: ImportKind,
  source: RecordsFile,
  options: RecordsOptions,
): Promise<RecordsImport> => {
  const { store } = deps
  const reseller = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, options.reseller), { pool: 'background' })
  if (reseller === undefined) throw new OperatorError(`There is no reseller named ${options.reseller.trim()}.`)
  const as = { role: 'counterfoil_reseller', resellerId: reseller.id } as const
  const files = options.files === undefined ? null : await invoiceFiles(options.files)
  const importId = randomUUID()
  const step = <T>(work: (db: Db) => Promise<T>): Promise<T> => store.transact(as, work, { pool: 'background' })
  await step((db) => openStaging(db, importId))
  try {
    const unprintable = unprintableNames()
    const fileNotes: FileNotes = { rounded: 0 }
    const lines = await stageFile(store, as, { kind, importId, notes: fileNotes, unprintable }, source, options)
    if (lines === 0) throw new OperatorError('The file holds no rows; there is nothing to import.')
    await step(analyzeStaging)
    options.progress(options.dryRun ? 'Trying …' : 'Making records …')
    const run: RecordsRun = { deps, kind, importId, resellerId: reseller.id, lines, files, options }
    const counts = await step((db) => applyRecords(db, run)).catch(toOperatorError)
    const note = unprintable.text()
    return { ...counts, ...fileNotes, notes: note === null ? [] : [note], dryRun: options.dryRun, reseller }
  } finally {
    // Report the outcome of the import. Lines that cannot be deleted now are deleted by a later import.
    await step((db) => closeStaging(db, importId)).catch(() => undefined)
  }
}

/**
 * Reads the file into the staging table, bad lines with their reasons, and notes texts that PDFs cannot show.
 * @returns the number of lines
 */
const stageFile = async (
  store: Store,
  as: Parameters<typeof loadRows>[1],
  {
    kind,
    importId,
    notes,
    unprintable,
  }: { readonly kind: ImportKind; readonly importId: string; readonly notes: FileNotes; readonly unprintable: UnprintableNames },
  source: RecordsFile,
  options: RecordsOptions,
): Promise<number> => {
  const progress = createProgress('Read', source.bytes, options.progress)
  let lines = 0
  const staged = async function* (batches: AsyncIterable<readonly RecordLine<string>[]>): AsyncGenerator<LoadRow[]> {
    for await (const batch of batches)
      yield batch.map((found) => {
        lines += 1
        progress.row()
        if ('row' in found) notePrintedTexts(kind, found.row, unprintable)
        return 'row' in found ? [importId, String(found.line), null, found.row] : [importId, String(found.line), found.reason, null]
      })
  }
  await loadRows(store, as, STAGING, staged(recordLines(decompress(progress.countBytes(source.open())), shapeOf(kind), notes)))
  progress.done()
  return lines
}

interface RecordsRun {
  readonly deps: RecordsDeps
  readonly kind: ImportKind
  readonly importId: string
  readonly resellerId: number
  readonly lines: number
  readonly files: InvoiceFiles | null
  readonly options: RecordsOptions
}

/**
 * Checks the staged lines and writes them to the kind's table, in the caller's transaction.
 * @throws BadRecords or OperatorError; DryRunRollback with the counts at the end of a dry run
 */
const applyRecords = async (db: Db, run: RecordsRun): Promise<DryRunRollback['counts']> => {
  const { kind, importId, resellerId, options } = run
  await lockImports(db, 'records', resellerId)
  await preferHashJoins(db, run.lines)
  if (!(await renewStaging(db, importId)))
    throw new OperatorError('Another import took this one for dead, because it stood still for hours. Nothing was imported; run it again.')
  await checkLines(db, run)
  const firstRejected = await reportFaults(db, run)
  const staged = await stagedCounts(db, importId)
  if (staged.rejected > 0 && !options.skipBad) throw new BadRecords({ ...staged, firstRejected })
  if (staged.rejected === staged.rows) throw new OperatorError(`Every one of the ${staged.rows} rows is bad; there is nothing to import.`)
  const noteId = await beginImport(db, {
    resellerId,
    kind: kind.name,
    now: run.deps.clock(),
    origin: options.origin,
    rows: staged.rows,
  })
  const kept = await countPreserved(db, kind, importId)
  const changed = await updateExisting(db, kind, importId)
  const added = await insertNew(db, kind, importId)
  if (kind.table === 'app_user') await linkUsers(db, importId)
  if (kind.table === 'invoice') await finishInvoices(db, run)
  const hasChanges = await finishImport(db, noteId)
  const counts = {
    importId: hasChanges && !options.dryRun ? noteId : null,
    ...staged,
    added,
    changed,
    kept,
    unchanged: staged.rows - staged.rejected - staged.repeated - added - changed,
    firstRejected,
  }
  if (options.dryRun) throw new DryRunRollback(counts)
  if (added + changed > 0) await options.audit(db, resellerId, `${kind.name}: ${added} added, ${changed} changed`)
  return counts
}

/**
 * Marks every staged line that cannot be imported with its faults; nothing is thrown for them.
 * @throws OperatorError for an unknown brand
 */
const checkLines = async (db: Db, run: RecordsRun): Promise<void> => {
  const { kind, importId, resellerId, options } = run
  await resolveReferences(db, kind, importId)
  await rejectContradictions(db, kind, importId)
  if (options.brand !== undefined && kind.refs.some(({ name }) => name === 'brand')) {
    const brand = await findBrand(db, resellerId, options.brand)
    if (brand === undefined) throw new OperatorError(`This reseller has no brand named ${options.brand.trim()}.`)
    await setDefaultBrand(db, kind, importId, brand.id)
  }
  await checkCurrencyDigits(db, kind, importId)
  for (const [at, { field, named, when, as }] of kind.checks.entries()) {
    if (as === 'system') await actAsSystem(db)
    await markFault(db, kind, importId, { fault: `check:${at}`, field, named: named ?? fieldText(field), when })
    if (as === 'system') await actAsReseller(db, resellerId)
  }
  await checkFiles(db, run)
}

const PAGE_ROWS = 1_000

/** Marks the staged lines as bad whose PDF file is missing or no PDF. */
const checkFiles = async (db: Db, { importId, files }: RecordsRun): Promise<void> => {
  for (
    let page = await namedFiles(db, importId, 0, PAGE_ROWS);
    page.length > 0;
    page = await namedFiles(db, importId, page.at(-1)?.line ?? 0, PAGE_ROWS)
  ) {
    const bad: RejectedRow[] = []
    for (const { line, file } of page) {
      const reason = files === null ? 'file: name the folder of the PDF files with --files' : await files.problem(file)
      if (reason !== null) bad.push({ line, reason })
    }
    if (bad.length > 0) await rejectLines(db, importId, bad)
  }
}

const MAX_FIRST_REJECTED = 100

/** Passes every bad line on to `options.reject`. @returns the first of them */
const reportFaults = async (db: Db, { kind, importId, options }: RecordsRun): Promise<RejectedRow[]> => {
  const first: RejectedRow[] = []
  for (
    let page = await stagedFaults(db, importId, 0, PAGE_ROWS);
    page.length > 0;
    page = await stagedFaults(db, importId, page.at(-1)?.line ?? 0, PAGE_ROWS)
  )
    for (const fault of page) {
      const row = toRejectedRow(kind, fault)
      if (first.length < MAX_FIRST_REJECTED) first.push(row)
      await options.reject(row)
    }
  return first
}

/**
 * After the invoices are stored: requests the cancel of live payments whose invoice has changed, makes payment links' tokens, and stores
 * the PDFs.
 */
const finishInvoices = async (db: Db, { deps, importId, files }: RecordsRun): Promise<void> => {
  await requestCancelOfChanged(db, deps.clock())
  for (
    let page = await findInvoicesWithoutPayToken(db, PAGE_ROWS);
    page.length > 0;
    page = await findInvoicesWithoutPayToken(db, PAGE_ROWS)
  )
    await setPayTokens(db, deps.keys, page)
  if (files === null) return
  for (
    let page = await namedFiles(db, importId, 0, PAGE_ROWS);
    page.length > 0;
    page = await namedFiles(db, importId, page.at(-1)?.line ?? 0, PAGE_ROWS)
  )
    for (const { line, file } of page) await saveInvoiceFile(db, importId, line, await files.read(file))
}

/**
 * Returns the counts of a dry run, whose rollback comes as an error.
 * @throws OperatorError for a concurrent write or another import of the reseller, and every other error as it is
 */
const toOperatorError = (error: unknown): DryRunRollback['counts'] => {
  if (error instanceof DryRunRollback) return error.counts
  const code = (error as { code?: string }).code ?? ''
  if (code === '23505' || code === '23514')
    throw new OperatorError('Something else wrote the same records at the same time. Nothing was imported; run it again.', { cause: error })
  if (code === '55P03')
    throw new OperatorError('Another import of this reseller is running. Nothing was imported; run it again.', { cause: error })
  throw error
}
