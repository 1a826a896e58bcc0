import { randomUUID } from 'node:crypto'
import { actAsReseller, actAsSystem } from '../../db/act-as.ts'
import type { LoadRow } from '../../db/copy-in.ts'
import type { Db } from '../../db/database.ts'
import { unprintableNames, type UnprintableNames } from '../../documents/unprintable-names.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { requestCancelOfChanged } from '../../payments/engine/sweep.queries.ts'
import { setPayTokens } from '../../payments/payment-link.queries.ts'
import type { RejectedRow } from '../bad-row.ts'
import { existingReseller } from '../find-reseller.ts'
import { findBrand } from '../focus/import-tenants.ts'
import type { RecordLine } from '../record-lines.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { listRejected } from '../staging/row-report.ts'
import { linePages } from '../staging/line-pages.ts'
import { type ImportFile, type ImportSteps, runImport } from '../staging/run-import.ts'
import { type StagedRecords, stageRecords } from '../staging/stage-records.ts'
import { lockImports } from '../staging/staging.queries.ts'
import {
  insertNew,
  countPreserved,
  linkUsers,
  saveInvoiceFile,
  updateExisting,
  findInvoicesWithoutPayToken,
} from './apply-records.queries.ts'
import { checkCurrencyDigits, markFault, setDefaultBrand, rejectContradictions, resolveReferences } from './check-lines.queries.ts'
import { toRejectedRow } from './fault-messages.rules.ts'
import { type InvoiceFiles, invoiceFiles } from './invoice-files.ts'
import { shapeOf } from './kind-shape.rules.ts'
import { fieldText, type ImportKind } from './kind.rules.ts'
import { notePrintedTexts } from './printed-texts.ts'
import {
  analyzeStaging,
  namedFiles,
  type NamedFile,
  preferHashJoins,
  rejectLines,
  STAGING,
  stagedCounts,
  stagedFaults,
} from './record-staging.queries.ts'
import type { RecordsDeps, RecordsImport, RecordsOptions } from './records-import.ts'

/**
 * Imports records of a kind for a reseller. The file is read once, in bounded memory, into a staging table; one transaction checks
 * every line and applies all or nothing. A record is identified by its key: importing a file again changes nothing.
 * @throws BadRows when lines are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const importRecords = async (
  deps: RecordsDeps,
  kind: ImportKind,
  source: ImportFile,
  options: RecordsOptions,
): Promise<RecordsImport> => {
  const reseller = await existingReseller(deps.store, options.reseller)
  const files = options.files === undefined ? null : await invoiceFiles(options.files)
  const unprintable = unprintableNames()
  const steps = recordSteps({ deps, kind, importId: randomUUID(), reseller, files, options }, source, unprintable)
  const { importId, staged, report, done } = await runImport(deps, steps, options)
  const { repeated = 0 } = report
  const note = unprintable.text()
  const unchanged = staged.rows - report.rejected - repeated - done.added - done.changed
  const dryRun = options.dryRun === true
  return { importId, ...staged, ...report, repeated, ...done, unchanged, notes: note === null ? [] : [note], dryRun, reseller }
}

interface RecordsRun {
  readonly deps: RecordsDeps
  readonly kind: ImportKind
  readonly importId: string
  readonly reseller: NamedRecord
  readonly files: InvoiceFiles | null
  readonly options: RecordsOptions
}

/** The steps of an import of records. @param unprintable gets the texts that PDFs cannot show */
const recordSteps = (
  run: RecordsRun,
  source: ImportFile,
  unprintable: UnprintableNames,
): ImportSteps<StagedRecords, Pick<RecordsRun, 'reseller'>, Pick<RecordsImport, 'added' | 'changed' | 'kept'>> => {
  const { deps, kind, importId, reseller, options } = run
  const as = { role: 'counterfoil_reseller', resellerId: reseller.id } as const
  const toStagingRow = (found: RecordLine<string>): LoadRow => {
    if ('reason' in found) return [importId, String(found.line), found.reason, null]
    notePrintedTexts(kind, found.row, unprintable)
    return [importId, String(found.line), null, found.row]
  }
  return {
    kind: kind.name,
    importId,
    as,
    stage: async (runStep) => {
      const staged = await stageRecords({ store: deps.store, as, target: STAGING }, source, shapeOf(kind), toStagingRow, options)
      await runStep(analyzeStaging)
      return staged
    },
    check: async (db, { rows }) => {
      options.progress(options.dryRun === true ? 'Trying …' : 'Making records …')
      await lockImports(db, 'records', reseller.id)
      await preferHashJoins(db, rows)
      await checkLines(db, run)
      return { reseller }
    },
    report: async (db) => ({
      ...(await stagedCounts(db, importId)),
      firstRejected: await listRejected(
        (after, limit) => stagedFaults(db, importId, after, limit),
        (fault) => toRejectedRow(kind, fault),
        options.reject,
      ),
    }),
    commit: async (db) => {
      const kept = await countPreserved(db, kind, importId)
      const changed = await updateExisting(db, kind, importId)
      const added = await insertNew(db, kind, importId)
      if (kind.table === 'app_user') await linkUsers(db, importId)
      if (kind.table === 'invoice') await finishInvoices(db, run)
      return { added, changed, kept }
    },
    auditText: ({ added, changed }) => (added + changed > 0 ? `${kind.name}: ${added} added, ${changed} changed` : null),
  }
}

/**
 * Marks every staged line that cannot be imported with its faults; nothing is thrown for them.
 * @throws OperatorError for an unknown brand
 */
const checkLines = async (db: Db, run: RecordsRun): Promise<void> => {
  const { kind, importId, reseller, options } = run
  await resolveReferences(db, kind, importId)
  await rejectContradictions(db, kind, importId)
  if (options.brand !== undefined && kind.refs.some(({ name }) => name === 'brand')) {
    const brand = await findBrand(db, reseller.id, options.brand)
    if (brand === undefined) throw new OperatorError(`This reseller has no brand named ${options.brand.trim()}.`)
    await setDefaultBrand(db, kind, importId, brand.id)
  }
  await checkCurrencyDigits(db, kind, importId)
  for (const [at, { field, named, when, as }] of kind.checks.entries()) {
    if (as === 'system') await actAsSystem(db)
    await markFault(db, kind, importId, { fault: `check:${at}`, field, named: named ?? fieldText(field), when })
    if (as === 'system') await actAsReseller(db, reseller.id)
  }
  await checkFiles(db, run)
}

const PAGE_ROWS = 1_000

/** The good lines that name a file, page by page. */
const filePages = (db: Db, importId: string): ReturnType<typeof linePages<NamedFile>> =>
  linePages((after, limit) => namedFiles(db, importId, after, limit), PAGE_ROWS)

/** Marks the staged lines as bad whose PDF file is missing or no PDF. */
const checkFiles = async (db: Db, { importId, files }: RecordsRun): Promise<void> => {
  for await (const page of filePages(db, importId)) {
    const bad: RejectedRow[] = []
    for (const { line, file } of page) {
      const reason = files === null ? 'file: name the folder of the PDF files with --files' : await files.problem(file)
      if (reason !== null) bad.push({ line, reason })
    }
    if (bad.length > 0) await rejectLines(db, importId, bad)
  }
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
  for await (const page of filePages(db, importId))
    for (const { line, file } of page) await saveInvoiceFile(db, importId, line, await files.read(file))
}
