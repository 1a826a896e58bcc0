import { randomUUID } from 'node:crypto'
import { toShortText } from '@counterfoil/contract/kit/decimal'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { Clock } from '../../kit/clock.ts'
import type { Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { assertUsername } from '../../session/username.ts'
import { unprintableNote } from '../../documents/unprintable-names.ts'
import type { RejectedRow } from '../bad-row.ts'
import { type BillingResult, createBilling } from './create-billing.ts'
import { type CheckedFile, checkFile } from './check-file.ts'
import { type FocusFile, totalBytes } from './export-parts.ts'
import { generatePassword } from './generate-password.ts'
import { countStagedRows } from './focus-staging.queries.ts'
import { findCustomerCurrencies } from './focus-tenants.queries.ts'
import { findReseller } from '../find-reseller.ts'
import { ensureResellerAndBrand, findBrand, type Tenants } from './import-tenants.ts'
import { createProgress, type Progress } from '../progress.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { refuseBadRows, type RowReport } from '../staging/row-report.ts'
import { type Imported, type ImportOptions, type ImportSteps, runImport } from '../staging/run-import.ts'
import { lockImports } from '../staging/staging.queries.ts'
import { type UnusualUsage, unusualUsageText } from '../unusual-usage.rules.ts'
import { stageFile } from './stage-file.ts'
import { listStagedMonths } from './focus-usage.queries.ts'
import { ensureMonths } from '../../usage-store/usage-months.queries.ts'

export interface ImportDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly passwords: { hash(password: string): Promise<string> }
}

export interface FocusOptions extends ImportOptions {
  /** A name or an id. */
  readonly brand: string
  /** Make the reseller, the brand and the user where they are new; else a new name is an error, so that a typo makes nothing. */
  readonly create: boolean
  readonly username?: string
}

interface CurrencySum {
  readonly currency: string
  /** The exact BilledCost, and the total of the invoices, whose lines are rounded. */
  readonly sum: string
  readonly invoiceSum: string
}

export interface FocusImport {
  /** By which it is undone; null when nothing was changed, and after a dry run. */
  readonly importId: number | null
  /** The version of FOCUS, by the file's columns. */
  readonly version: string
  /** Good rows of the file, and the number of them that are new. */
  readonly rows: number
  readonly newRows: number
  /** The rows that are taxes. */
  readonly taxRows: number
  /** How many numbers were rounded to 18 decimals, half to even. */
  readonly rounded: CheckedFile['rounded']
  /** New usage that may be a mistake. */
  readonly unusual: UnusualUsage
  /** The first bad rows, and the number of all. */
  readonly rejected: readonly RejectedRow[]
  readonly rejectedCount: number
  readonly customers: number
  readonly invoices: number
  /** The exact BilledCost of the good rows, over all currencies. */
  readonly sum: string
  readonly invoiceSum: string
  readonly sums: readonly CurrencySum[]
  readonly reseller: { readonly id: number; readonly name: string }
  readonly brand: { readonly id: number; readonly name: string }
  /** The user who may act for the customers; null where there is none and none was to be made. */
  readonly username: string | null
  /** Present only when the user was created by this import. */
  readonly password?: string
  readonly notes: readonly string[]
  readonly dryRun: boolean
}

/**
 * Imports a FOCUS export (1.0 to 1.3) of one or more files, plain or compressed: customers, services, usage, invoices with their
 * transactions, and a user who may act for all customers. The file is read once to check every row, then again into a staging table; one
 * transaction creates billing from that, which a dry run rolls back. Importing the same file again changes nothing.
 * @throws BadRows when rows are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const importFocus = async (deps: ImportDeps, parts: readonly FocusFile[], options: FocusOptions): Promise<FocusImport> => {
  if (options.username !== undefined) assertUsername(options.username)
  const currencies = await findKnownCurrencies(deps.store, options)
  return toImportResult(await runImport(deps, focusSteps(deps, parts, currencies, options), options), options.dryRun === true)
}

interface StagedFocus {
  /** All rows of the export, bad ones included. */
  readonly rows: number
  readonly file: CheckedFile
  /** The first days of the months of its rows. */
  readonly months: readonly string[]
  /** Of the user, where one is made. */
  readonly password: string
  readonly passwordHash: string
}

interface ImportedBilling extends BillingResult {
  readonly brand: NamedRecord
}

/** The steps of an import of a FOCUS export. They begin as counterfoil_system, because the reseller may be new. */
const focusSteps = (
  deps: ImportDeps,
  parts: readonly FocusFile[],
  currencies: ReadonlyMap<string, string>,
  options: FocusOptions,
): ImportSteps<StagedFocus, Tenants, ImportedBilling> => {
  const importId = randomUUID()
  const as = { role: 'counterfoil_system' } as const
  const startProgress = (verb: string): Progress => createProgress(verb, totalBytes(parts), options.progress, options.stopped)
  return {
    kind: 'focus',
    importId,
    as,
    stage: async (runStep) => {
      const checkProgress = startProgress('Checked')
      const file = await checkFile(parts, currencies, checkProgress)
      checkProgress.done()
      refuseBadRows(toRowReport(file), options.skipBad)
      const password = generatePassword()
      const passwordHash = await deps.passwords.hash(password)
      const loadProgress = startProgress('Loaded')
      await stageFile({ store: deps.store, as, importId }, parts, file, currencies, loadProgress)
      loadProgress.done()
      options.progress('Making the invoices …')
      const months = await runStep((db) => listStagedMonths(db, importId))
      await deps.store.transact({ role: 'owner' }, (db) => ensureMonths(db, months), { pool: 'background' })
      return { rows: file.rows + file.rejectedCount, file, months, password, passwordHash }
    },
    check: async (db, { file }) => {
      await lockImports(db, 'focus', 0)
      if ((await countStagedRows(db, importId)) !== file.rows)
        throw new OperatorError('Rows of this import are missing in the database. Nothing was imported; run it again.')
      const { reseller, brand } = options
      return ensureResellerAndBrand(db, { reseller, brand, currency: file.customers[0]?.currency ?? '' })
    },
    report: async (_db, { file }) => toRowReport(file),
    commit: async (db, noteId, { staged, checked }) => {
      const { file, months, passwordHash } = staged
      const { username, create } = options
      const input = { importId, noteId, file, months, ...checked, username, create, passwordHash, now: deps.clock(), keys: deps.keys }
      return { brand: checked.brand, ...(await createBilling(db, input)) }
    },
    auditText: ({ newRows }, { file }) => `${file.rows} rows, ${newRows} new`,
  }
}

const toRowReport = ({ rows, rejectedCount, rejected }: CheckedFile): RowReport => ({
  rows: rows + rejectedCount,
  rejected: rejectedCount,
  firstRejected: rejected,
})

/**
 * The currencies of the reseller's customers by external id; empty for a reseller that is to be created.
 * @throws OperatorError when the reseller or brand cannot be found
 */
const findKnownCurrencies = async (store: Store, { reseller, brand, create }: FocusOptions): Promise<Map<string, string>> => {
  const found = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, reseller), { pool: 'background' })
  if (found === undefined) {
    if (!create) throw new OperatorError(`There is no reseller named ${reseller.trim()}. If it is new, say --create.`)
    if (/^\s*\d+\s*$/.test(brand))
      throw new OperatorError(`The reseller ${reseller} is new, so it has no brand with the id ${brand}; give a name.`)
    return new Map()
  }
  return store.transact(
    { role: 'counterfoil_reseller', resellerId: found.id },
    async (db) => {
      if ((await findBrand(db, found.id, brand)) === undefined && !create)
        throw new OperatorError(`${found.name} has no brand named ${brand.trim()}. If it is new, say --create.`)
      return findCustomerCurrencies(db, found.id)
    },
    { pool: 'background' },
  )
}

/** What the command tells of an import. The password is in it only when a user was created. */
const toImportResult = ({ importId, reseller, staged, done }: Imported<StagedFocus, ImportedBilling>, dryRun: boolean): FocusImport => {
  const { file, password } = staged
  const { brand, user, invoices, newRows, unusual } = done
  const sums = invoices.map(({ currency, minor }) => ({
    currency,
    sum: toShortText(file.sums.get(currency) ?? 0n),
    invoiceSum: toDecimalText({ minor: BigInt(minor), currency }),
  }))
  const [only] = sums
  return {
    importId,
    version: file.version,
    rows: file.rows,
    newRows,
    taxRows: file.taxRows,
    rounded: file.rounded,
    rejected: file.rejected,
    rejectedCount: file.rejectedCount,
    customers: file.customers.length,
    invoices: invoices.reduce((count, found) => count + found.invoices, 0),
    sum: toShortText([...file.sums.values()].reduce((total, sum) => total + sum, 0n)),
    invoiceSum:
      sums.length === 1 && only !== undefined ? only.invoiceSum : sums.map((sum) => `${sum.currency} ${sum.invoiceSum}`).join(', '),
    sums,
    reseller,
    brand,
    username: user?.username ?? null,
    ...(user?.isNew === true && !dryRun ? { password } : {}),
    unusual,
    notes: [...file.notes, ...unprintableNotes(file), unusualUsageText(unusual)].filter((note) => note !== null),
    dryRun,
  }
}

/** The note of names with characters that our PDFs cannot print; empty without any. */
const unprintableNotes = ({ customers, chargeNames }: CheckedFile): readonly string[] => {
  const note = unprintableNote(new Set([...customers.map(({ label }) => label), ...chargeNames]))
  return note === null ? [] : [note]
}
