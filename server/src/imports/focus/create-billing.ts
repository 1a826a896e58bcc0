import { toExact, toShortText } from '@counterfoil/contract/kit/decimal'
import { currencyDigits } from '@counterfoil/contract/kit/money'
import type { Db } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { setPayTokens } from '../../payments/payment-link.queries.ts'
import { requestCancelOfChanged } from '../../payments/engine/sweep.queries.ts'
import type { CheckedFile } from './check-file.ts'
import type { NamedRecord } from '../resellers.queries.ts'
import { noteUsage, takeRecordId } from '../undo/note-import.queries.ts'
import { countUsage, recordsInRange, spanOf } from '../../usage-store/count-usage.queries.ts'
import { MAX_NESTED_LOOP_ROWS } from '../usage/usage-staging.queries.ts'
import { lockReseller } from '../usage/usage-records.queries.ts'
import { findMisplacedCustomer, upsertCustomers } from './focus-tenants.queries.ts'
import {
  addTransactions,
  insertPeriods,
  sumInvoices,
  ensureOpenInvoices,
  updateInvoiceAmounts,
  findInvoicesWithoutPayToken,
  writeInvoiceLines,
} from './focus-invoices.queries.ts'
import { setNestedLoopsAllowed, numberDuplicateRows } from './focus-staging.queries.ts'
import { insertTaxCharges, writeInvoiceTaxes } from './focus-taxes.queries.ts'
import type { UnusualUsage } from '../unusual-usage.rules.ts'
import {
  countUnusualCharges,
  unstageKnownRows,
  insertCatalogue,
  insertUsage,
  type StoredSum,
  sumByCurrency,
} from './focus-usage.queries.ts'
import { currencySymbol } from './import-tenants.ts'
import { ensureUser } from './import-user.ts'

export interface BillingInput {
  /** Names the staged rows. */
  readonly importId: string
  /** Names the import in the list of those that can be undone. */
  readonly noteId: number
  readonly file: CheckedFile
  /** The first days of the months of the file; usage has partitions for them. */
  readonly months: readonly string[]
  readonly reseller: NamedRecord
  readonly brand: NamedRecord
  readonly username: string | undefined
  /** Whether a new user is made. */
  readonly create: boolean
  readonly passwordHash: string
  readonly now: Date
  readonly keys: Keys
}

export interface BillingResult {
  readonly user: { readonly username: string; readonly isNew: boolean } | null
  readonly newRows: number
  readonly unusual: UnusualUsage
  readonly invoices: readonly { readonly currency: string; readonly invoices: number; readonly minor: number }[]
}

/**
 * Creates customers, usage, invoices and a user from the staged rows, inside the transaction `db`, which the caller commits. As
 * counterfoil_reseller.
 * @throws OperatorError when a check fails; then nothing is stored
 */
export const createBilling = async (db: Db, input: BillingInput): Promise<BillingResult> => {
  const { importId, file, reseller, brand, now } = input
  await setNestedLoopsAllowed(db, false)
  await saveCustomers(db, reseller, brand, file)
  await numberDuplicateRows(db, importId)
  await setNestedLoopsAllowed(db, file.rows <= MAX_NESTED_LOOP_ROWS) // a few rows are looked up among millions by their keys
  const known = await unstageKnownRows(db, reseller.id, importId, spanOf(input.months))
  await setNestedLoopsAllowed(db, false)
  await insertCatalogue(db, reseller.id, importId)
  await insertPeriods(db, reseller.id, file.bills)
  const unusual = await countUnusualCharges(db, reseller.id, importId, now)
  const usage = await addUsage(db, input)
  const taxes = await updateInvoices(db, input)
  const inserted = [...usage, ...taxes]
  assertSumsMatch(file, [...known, ...inserted])
  await setNestedLoopsAllowed(db, false)
  const user = await ensureUser(
    db,
    { reseller, brand, username: input.username, create: input.create, passwordHash: input.passwordHash, now },
    file.customers.map(({ customer }) => customer),
  )
  const invoices = await sumInvoices(db, reseller.id, file.bills)
  await setNestedLoopsAllowed(db, true)
  return { user, invoices, unusual, newRows: inserted.reduce((sum, { rows }) => sum + rows, 0) }
}

/** Inserts the staged usage as records, and notes for undoing which they are. @returns the stored sums */
const addUsage = async (db: Db, { importId, noteId, months, reseller }: BillingInput): Promise<StoredSum[]> => {
  await lockReseller(db, reseller.id)
  const firstId = await takeRecordId(db)
  await insertUsage(db, reseller.id, importId)
  const range = { firstId, lastId: await takeRecordId(db), ...spanOf(months) }
  const added = recordsInRange(reseller.id, range)
  await countUsage(db, reseller.id, added, 1)
  const sums = await sumByCurrency(db, added)
  const records = sums.reduce((sum, { rows }) => sum + rows, 0)
  if (records > 0) await noteUsage(db, noteId, records, range)
  return sums
}

/**
 * Inserts the file's customers and renames known ones.
 * @throws OperatorError when one stands under another brand, or is billed in another currency
 */
const saveCustomers = async (db: Db, reseller: NamedRecord, brand: NamedRecord, file: CheckedFile): Promise<void> => {
  const customers = file.customers.map((customer) => ({ ...customer, symbol: currencySymbol(customer.currency) }))
  await upsertCustomers(db, reseller.id, brand.id, customers)
  const misplaced = await findMisplacedCustomer(db, reseller.id, brand.id, customers)
  if (misplaced !== undefined)
    throw new OperatorError(
      `Customer ${misplaced.customer} is there already, under the brand ${misplaced.brand} and billed in ${misplaced.currency}. Nothing was imported.`,
    )
}

/**
 * Checks that the stored usage and taxes of this file have its number of rows and add up to its BilledCost, to the last digit.
 * @throws OperatorError otherwise
 */
const assertSumsMatch = (file: CheckedFile, stored: readonly StoredSum[]): void => {
  const sums = new Map<string, bigint>()
  for (const { currency, sum } of stored) sums.set(currency, (sums.get(currency) ?? 0n) + toExact(sum))
  const rows = stored.reduce((count, found) => count + found.rows, 0)
  if (rows !== file.rows)
    throw new OperatorError(`The usage and taxes would have ${rows} rows; the file has ${file.rows}. Nothing was imported.`)
  for (const [currency, sum] of file.sums) {
    const found = sums.get(currency) ?? 0n
    if (found !== sum)
      throw new OperatorError(
        `The usage and taxes would add up to ${currency} ${toShortText(found)}; the file's BilledCost is ${toShortText(sum)}. Nothing was imported.`,
      )
  }
}

/**
 * Inserts or changes the invoices of the staged rows: transactions, lines, taxes, amounts, payment links.
 * @returns the sums of the taxes that are new
 */
const updateInvoices = async (db: Db, { importId, file, reseller, now, keys }: BillingInput): Promise<StoredSum[]> => {
  const targets = await ensureOpenInvoices(db, reseller.id, importId, now)
  await addTransactions(db, reseller.id, importId, targets)
  const taxes = await insertTaxCharges(db, reseller.id, importId, targets)
  await setNestedLoopsAllowed(db, true) // the queries that follow look up a few invoices among many
  const currencies = [...file.sums.keys()].map((currency) => ({ currency, digits: currencyDigits(currency) }))
  await writeInvoiceLines(db, targets, currencies)
  await writeInvoiceTaxes(db, targets, currencies)
  await updateInvoiceAmounts(db, targets, now)
  await requestCancelOfChanged(db, now)
  await setPayTokens(db, keys, await findInvoicesWithoutPayToken(db, reseller.id, targets))
  return taxes
}
