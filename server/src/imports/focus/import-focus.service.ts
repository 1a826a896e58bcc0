import { randomUUID } from 'node:crypto'
import { toShortText } from '@counterfoil/contract/kit/decimal'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { assertUsername } from '../../session/username.ts'
import { unprintableNote } from '../../documents/unprintable-names.ts'
import type { RejectedRow } from '../bad-row.ts'
import { type BillingResult, createBilling } from './create-billing.ts'
import { type CheckedFile, checkFile } from './check-file.ts'
import { type FocusFile, totalBytes } from './export-parts.ts'
import { generatePassword } from './generate-password.ts'
import { findCustomerCurrencies } from './focus-tenants.queries.ts'
import { findReseller } from '../find-reseller.ts'
import { findBrand } from './import-tenants.ts'
import type { ImportOrigin } from '../undo/note-import.queries.ts'
import { assertNotStopped, createProgress } from '../progress.ts'
import { closeStaging, openStaging } from '../staging/staging.queries.ts'
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

export interface FocusOptions {
  /** A name or an id. */
  readonly reseller: string
  readonly brand: string
  /** Make the reseller, the brand and the user where they are new; else a new name is an error, so that a typo makes nothing. */
  readonly create: boolean
  /** Report the result and store nothing. */
  readonly dryRun: boolean
  /** Import the good rows of a file that also has bad ones. */
  readonly skipBad: boolean
  readonly username?: string
  readonly origin?: ImportOrigin
  /** Aborts when the import is to stop: then nothing is stored, unless it was done before. */
  readonly stopped?: AbortSignal
  progress(words: string): void
  /** Writes the audit entry, as the last statement of the transaction. */
  audit?(db: Db, resellerId: number, what: string): Promise<void>
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

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {
  readonly result: BillingResult

  constructor(result: BillingResult) {
    super('a dry run')
    this.result = result
  }
}

/** The file has bad rows and `skipBad` is off. */
export class BadRows extends OperatorError {
  readonly rejected: readonly RejectedRow[]
  readonly rejectedCount: number

  constructor({ rejected, rejectedCount }: CheckedFile) {
    super(`${rejectedCount.toLocaleString('en')} bad ${rejectedCount === 1 ? 'row' : 'rows'} in the file; nothing was imported.`)
    this.rejected = rejected
    this.rejectedCount = rejectedCount
  }
}

/**
 * Imports a FOCUS export (1.0 to 1.3) of one or more files, plain or compressed: customers, services, usage, invoices with their
 * transactions, and a user who may act for all customers. The file is read once to check every row, then again into staging tables; one
 * transaction creates billing from those, which a dry run rolls back. Importing the same file again changes nothing.
 * @throws BadRows when rows are bad and `skipBad` is off; OperatorError for any other problem. Then nothing is stored
 */
export const importFocus = async (deps: ImportDeps, parts: readonly FocusFile[], options: FocusOptions): Promise<FocusImport> => {
  if (options.username !== undefined) assertUsername(options.username)
  const currencies = await findKnownCurrencies(deps.store, options)
  const checkProgress = createProgress('Checked', totalBytes(parts), options.progress, options.stopped)
  const file = await checkFile(parts, currencies, checkProgress)
  checkProgress.done()
  if (file.rejectedCount > 0 && !options.skipBad) throw new BadRows(file)
  if (file.rows === 0) throw new OperatorError(`Every one of the ${file.rejectedCount} rows is bad; there is nothing to import.`)
  const password = generatePassword()
  const passwordHash = await deps.passwords.hash(password)
  const result = await withStaging(deps.store, async (importId) => {
    const progress = createProgress('Loaded', totalBytes(parts), options.progress, options.stopped)
    await stageFile({ store: deps.store, as: { role: 'counterfoil_system' }, importId }, parts, file, currencies, progress)
    progress.done()
    options.progress('Making the invoices …')
    const { reseller, brand, username, create, origin } = options
    const months = await deps.store.transact({ role: 'counterfoil_system' }, (db) => listStagedMonths(db, importId), { pool: 'background' })
    await deps.store.transact({ role: 'owner' }, (db) => ensureMonths(db, months), { pool: 'background' })
    const input = { importId, file, months, reseller, brand, username, create, origin, passwordHash, now: deps.clock(), keys: deps.keys }
    const createBillingAndAudit = async (db: Db): Promise<BillingResult> => {
      const result = await createBilling(db, input)
      await options.audit?.(db, result.reseller.id, `${file.rows} rows, ${result.newRows} new`)
      assertNotStopped(options.stopped)
      if (options.dryRun) throw new DryRunRollback(result)
      return result
    }
    return deps.store.transact({ role: 'counterfoil_system' }, createBillingAndAudit, { pool: 'background' })
  }).catch((error: unknown) => {
    if (error instanceof DryRunRollback) return error.result
    throw error
  })
  return toImportResult(file, result, { password, dryRun: options.dryRun })
}

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

/** Runs the work with an import id of its own, and deletes the id's staged rows at the end. */
const withStaging = async <T>(store: Store, work: (importId: string) => Promise<T>): Promise<T> => {
  const importId = randomUUID()
  await store.transact({ role: 'counterfoil_system' }, (db) => openStaging(db, importId), { pool: 'background' })
  try {
    return await work(importId)
  } finally {
    // Report the outcome of the import. Rows that cannot be deleted now are deleted by a later import.
    await store.transact({ role: 'counterfoil_system' }, (db) => closeStaging(db, importId), { pool: 'background' }).catch(() => undefined)
  }
}

/** What the command tells of an import. The password is in it only when a user was created. */
const toImportResult = (
  file: CheckedFile,
  { importId, reseller, brand, user, invoices, newRows, unusual }: BillingResult,
  { password, dryRun }: { password: string; dryRun: boolean },
): FocusImport => {
  const sums = invoices.map(({ currency, minor }) => ({
    currency,
    sum: toShortText(file.sums.get(currency) ?? 0n),
    invoiceSum: toDecimalText({ minor: BigInt(minor), currency }),
  }))
  const [only] = sums
  return {
    importId: dryRun ? null : importId,
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
