import { randomUUID } from 'node:crypto'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { assertUsername } from '../../session/username.ts'
import type { RejectedRow } from '../bad-row.ts'
import { type BillingResult, createBilling } from './create-billing.ts'
import { type CheckedFile, checkFile } from './check-file.ts'
import { decimalOf } from '../../kit/decimal.ts'
import { generatePassword } from './generate-password.ts'
import { findCustomerCurrencies } from './focus-tenants.queries.ts'
import { closeImport, openImport } from './focus-staging.queries.ts'
import { findReseller } from '../find-reseller.ts'
import { findBrand } from './import-tenants.ts'
import { createProgress } from '../progress.ts'
import { stageFile } from './stage-file.ts'

export interface ImportDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly passwords: { hash(password: string): Promise<string> }
}

/** The file, to be read twice: once to judge it, once to load it. */
export interface FocusFile {
  open(): AsyncIterable<Uint8Array>
  /** Its length, where it is known. */
  readonly bytes: number | null
}

export interface FocusOptions {
  /** A name or an id. A name that nobody has is made. */
  readonly reseller: string
  readonly brand: string
  /** Import the good rows of a file with bad ones. */
  readonly skipBad: boolean
  readonly username?: string
  progress(words: string): void
  /** Is told of what was done, last in the transaction that does it. */
  audit?(db: Db, resellerId: number, what: string): Promise<void>
}

interface CurrencySum {
  readonly currency: string
  /** The exact BilledCost, and what the invoices come to with their lines rounded. */
  readonly sum: string
  readonly invoiceSum: string
}

export interface FocusImport {
  /** Good rows of the file, and how many of them were not in the usage before. */
  readonly rows: number
  readonly newRows: number
  /** The first bad rows, and how many there are in all. */
  readonly rejected: readonly RejectedRow[]
  readonly rejectedCount: number
  readonly customers: number
  readonly invoices: number
  /** BilledCost of the good rows, exact; over all currencies, should there be several. */
  readonly sum: string
  readonly invoiceSum: string
  readonly sums: readonly CurrencySum[]
  readonly reseller: { readonly id: number; readonly name: string }
  readonly brand: { readonly id: number; readonly name: string }
  readonly username: string
  /** Only when the user was made just now; nobody can ask for it again. */
  readonly password?: string
  readonly notes: readonly string[]
}

/** The file has bad rows, and nobody asked to skip them. */
export class BadRows extends OperatorError {
  readonly rejected: readonly RejectedRow[]
  readonly rejectedCount: number

  constructor({ rejected, rejectedCount }: CheckedFile) {
    super(`${rejectedCount} bad ${rejectedCount === 1 ? 'row' : 'rows'} in the file; nothing was imported.`)
    this.rejected = rejected
    this.rejectedCount = rejectedCount
  }
}

/**
 * Imports a FOCUS 1.0 file: customers, services, usage, invoices with what is behind them, and a user who may act for them all.
 * The file is read once to judge every row, then once more into a staging that nobody sees; one transaction turns that into billing.
 * Importing the same file again changes nothing.
 * @throws BadRows when rows are bad and `skipBad` is off; OperatorError for every other no. Either way nothing was kept
 */
export const importFocus = async (deps: ImportDeps, source: FocusFile, options: FocusOptions): Promise<FocusImport> => {
  if (options.username !== undefined) assertUsername(options.username)
  const currencies = await findKnownCurrencies(deps.store, options)
  const checkProgress = createProgress('Checked', source.bytes, options.progress)
  const file = await checkFile(source.open(), currencies, checkProgress)
  checkProgress.done()
  if (file.rejectedCount > 0 && !options.skipBad) throw new BadRows(file)
  if (file.rows === 0) throw new OperatorError(`Every one of the ${file.rejectedCount} rows is bad; there is nothing to import.`)
  const password = generatePassword()
  const passwordHash = await deps.passwords.hash(password)
  const result = await withStaging(deps.store, async (importId) => {
    const progress = createProgress('Loaded', source.bytes, options.progress)
    await stageFile(deps.store, importId, source.open(), file, currencies, progress)
    progress.done()
    options.progress('Making the invoices …')
    const { reseller, brand, username } = options
    const input = { importId, file, reseller, brand, username, passwordHash, now: deps.clock(), keys: deps.keys }
    const createBillingAndAudit = async (db: Db): Promise<BillingResult> => {
      const result = await createBilling(db, input)
      await options.audit?.(db, result.reseller.id, `${file.rows} rows, ${result.newRows} new`)
      return result
    }
    return deps.store.transact({ role: 'counterfoil_system' }, createBillingAndAudit, 'background')
  })
  return toImportResult(file, result, password)
}

/** What is known before the file is read; refuses a reseller or brand that cannot be meant. */
const findKnownCurrencies = async (store: Store, { reseller, brand }: FocusOptions): Promise<Map<string, string>> => {
  const found = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, reseller), 'background')
  if (found === undefined) {
    if (/^\s*\d+\s*$/.test(brand))
      throw new OperatorError(`The reseller ${reseller} is new, so it has no brand with the id ${brand}; give a name.`)
    return new Map()
  }
  return store.transact(
    { role: 'counterfoil_reseller', resellerId: found.id },
    async (db) => {
      await findBrand(db, found.id, brand)
      return findCustomerCurrencies(db, found.id)
    },
    'background',
  )
}

/** Gives the work a run of its own in the staging, and takes the rows away again should it fail. */
const withStaging = async <T>(store: Store, work: (importId: string) => Promise<T>): Promise<T> => {
  const importId = randomUUID()
  await store.transact({ role: 'counterfoil_system' }, (db) => openImport(db, importId), 'background')
  try {
    return await work(importId)
  } catch (error) {
    // The first failure is the one to tell; rows that stay behind are unseen, and the next run removes them.
    await store.transact({ role: 'counterfoil_system' }, (db) => closeImport(db, importId), 'background').catch(() => undefined)
    throw error
  }
}

const toImportResult = (file: CheckedFile, { reseller, brand, user, invoices, newRows }: BillingResult, password: string): FocusImport => {
  const sums = invoices.map(({ currency, minor }) => ({
    currency,
    sum: decimalOf(file.sums.get(currency) ?? 0n),
    invoiceSum: toDecimalText({ minor: BigInt(minor), currency }),
  }))
  const [only] = sums
  return {
    rows: file.rows,
    newRows,
    rejected: file.rejected,
    rejectedCount: file.rejectedCount,
    customers: file.customers.length,
    invoices: invoices.reduce((count, found) => count + found.invoices, 0),
    sum: decimalOf([...file.sums.values()].reduce((total, sum) => total + sum, 0n)),
    invoiceSum:
      sums.length === 1 && only !== undefined ? only.invoiceSum : sums.map((sum) => `${sum.currency} ${sum.invoiceSum}`).join(', '),
    sums,
    reseller,
    brand,
    username: user.username,
    ...(user.isNew ? { password } : {}),
    notes: file.notes,
  }
}
