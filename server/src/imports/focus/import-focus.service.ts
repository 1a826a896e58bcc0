import { randomUUID } from 'node:crypto'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import type { Clock } from '../../kit/clock.ts'
import type { Db, Store } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { checkUsername } from '../../session/username.ts'
import type { RejectedRow } from '../bad-row.ts'
import { type Booked, bookImport } from './book-import.ts'
import { type CheckedFile, checkFile } from './check-file.ts'
import { decimalOf } from '../../kit/decimal.ts'
import { firstPassword } from './first-password.ts'
import { customerCurrencies } from './focus-house.queries.ts'
import { closeImport, openImport } from './focus-staging.queries.ts'
import { findReseller } from '../find-reseller.ts'
import { findBrand } from './import-house.ts'
import { newProgress } from '../progress.ts'
import { stageFile } from './stage-file.ts'

export interface ImportDeps {
  readonly store: Store
  readonly keys: Keys
  readonly clock: Clock
  readonly passwords: { hash(password: string): Promise<string> }
}

/** The file, to be read twice: once to judge it, once to load it. */
export interface FocusSource {
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
  note?(db: Db, resellerId: number, what: string): Promise<void>
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
export const importFocus = async (deps: ImportDeps, source: FocusSource, options: FocusOptions): Promise<FocusImport> => {
  if (options.username !== undefined) checkUsername(options.username)
  const currencies = await knownCurrencies(deps.store, options)
  const checked = newProgress('Checked', source.bytes, options.progress)
  const file = await checkFile(source.open(), currencies, checked)
  checked.done()
  if (file.rejectedCount > 0 && !options.skipBad) throw new BadRows(file)
  if (file.rows === 0) throw new OperatorError(`Every one of the ${file.rejectedCount} rows is bad; there is nothing to import.`)
  const password = firstPassword()
  const passwordHash = await deps.passwords.hash(password)
  const booked = await inStaging(deps.store, async (importId) => {
    const loaded = newProgress('Loaded', source.bytes, options.progress)
    await stageFile(deps.store, importId, source.open(), file, currencies, loaded)
    loaded.done()
    options.progress('Making the invoices …')
    const { reseller, brand, username } = options
    const booking = { importId, file, reseller, brand, username, passwordHash, now: deps.clock(), keys: deps.keys }
    const book = async (db: Db): Promise<Booked> => {
      const booked = await bookImport(db, booking)
      await options.note?.(db, booked.reseller.id, `${file.rows} rows, ${booked.newRows} new`)
      return booked
    }
    return deps.store.transact({ role: 'counterfoil_system' }, book, 'background')
  })
  return told(file, booked, password)
}

/** What is known before the file is read; refuses a reseller or brand that cannot be meant. */
const knownCurrencies = async (store: Store, { reseller, brand }: FocusOptions): Promise<Map<string, string>> => {
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
      return customerCurrencies(db, found.id)
    },
    'background',
  )
}

/** Gives the work a run of its own in the staging, and takes the rows away again should it fail. */
const inStaging = async <T>(store: Store, work: (importId: string) => Promise<T>): Promise<T> => {
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

const told = (file: CheckedFile, { reseller, brand, user, invoices, newRows }: Booked, password: string): FocusImport => {
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
