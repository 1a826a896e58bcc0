import { currencyDigits } from '@counterfoil/contract/kit/money'
import type { Db } from '../../db/database.ts'
import type { Keys } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { CheckedFile } from './check-file.ts'
import { decimalOf, unitsOf } from '../../kit/decimal.ts'
import type { Named } from '../resellers.queries.ts'
import { misplacedCustomer, upsertCustomers } from './focus-house.queries.ts'
import {
  addTransactions,
  insertPeriods,
  invoiceSums,
  openInvoices,
  setPayTokens,
  settleAmounts,
  type TargetInvoice,
  withoutPayToken,
  writeLines,
} from './focus-invoices.queries.ts'
import { closeImport, joinByHash, lockImport, numberEqualRows } from './focus-staging.queries.ts'
import { dropKnownRows, insertCatalogue, insertUsage, type StoredSum } from './focus-usage.queries.ts'
import { currencySymbol, ensureResellerAndBrand } from './import-house.ts'
import { settleUser } from './import-user.ts'

export interface Booking {
  readonly importId: string
  readonly file: CheckedFile
  readonly reseller: string
  readonly brand: string
  readonly username: string | undefined
  readonly passwordHash: string
  readonly now: Date
  readonly keys: Keys
}

export interface Booked {
  readonly reseller: Named
  readonly brand: Named
  readonly user: { readonly username: string; readonly isNew: boolean }
  readonly newRows: number
  readonly invoices: readonly { readonly currency: string; readonly invoices: number; readonly minor: number }[]
}

/**
 * Turns the staged rows into billing, inside the one transaction that `db` is: all of it or nothing.
 * Begins as counterfoil_system and goes on as counterfoil_reseller.
 * @throws OperatorError when something stands in the way; then nothing is kept
 */
export const bookImport = async (db: Db, booking: Booking): Promise<Booked> => {
  const { importId, file, now } = booking
  const staged = await lockImport(db, importId)
  await joinByHash(db, true)
  if (staged !== file.rows) throw new OperatorError('Rows of this import are missing in the database. Nothing was imported; run it again.')
  const currency = file.customers[0]?.currency ?? ''
  const { reseller, brand } = await ensureResellerAndBrand(db, { reseller: booking.reseller, brand: booking.brand, currency })
  await bookCustomers(db, reseller, brand, file)
  await numberEqualRows(db, importId)
  const known = await dropKnownRows(db, reseller.id, importId)
  await insertCatalogue(db, reseller.id, importId)
  const made = await insertUsage(db, reseller.id, importId)
  refuseOtherSums(file, [...known, ...made])
  await bookInvoices(db, booking, reseller)
  await joinByHash(db, true)
  const user = await settleUser(
    db,
    { reseller, brand, username: booking.username, passwordHash: booking.passwordHash, now },
    file.customers.map(({ customer }) => customer),
  )
  const invoices = await invoiceSums(db, reseller.id, file.bills)
  await closeImport(db, importId)
  return { reseller, brand, user, invoices, newRows: made.reduce((sum, { rows }) => sum + rows, 0) }
}

const bookCustomers = async (db: Db, reseller: Named, brand: Named, file: CheckedFile): Promise<void> => {
  const customers = file.customers.map((customer) => ({ ...customer, symbol: currencySymbol(customer.currency) }))
  await upsertCustomers(db, reseller.id, brand.id, customers)
  const misplaced = await misplacedCustomer(db, reseller.id, brand.id, customers)
  if (misplaced !== undefined)
    throw new OperatorError(
      `Customer ${misplaced.customer} is there already, under the brand ${misplaced.brand} and billed in ${misplaced.currency}. Nothing was imported.`,
    )
}

/** The proof of exactness: what the usage now holds for this file's rows must be the file's BilledCost, to the last digit. */
const refuseOtherSums = (file: CheckedFile, stored: readonly StoredSum[]): void => {
  const sums = new Map<string, bigint>()
  for (const { currency, sum } of stored) sums.set(currency, (sums.get(currency) ?? 0n) + unitsOf(sum))
  const rows = stored.reduce((count, found) => count + found.rows, 0)
  if (rows !== file.rows) throw new OperatorError(`The usage would have ${rows} rows; the file has ${file.rows}. Nothing was imported.`)
  for (const [currency, sum] of file.sums) {
    const found = sums.get(currency) ?? 0n
    if (found !== sum)
      throw new OperatorError(
        `The usage would add up to ${currency} ${decimalOf(found)}; the file's BilledCost is ${decimalOf(sum)}. Nothing was imported.`,
      )
  }
}

const bookInvoices = async (db: Db, { importId, file, now, keys }: Booking, reseller: Named): Promise<void> => {
  await insertPeriods(db, reseller.id, file.bills)
  const targets = await openInvoices(db, reseller.id, importId, now)
  await addTransactions(db, reseller.id, importId, targets)
  await joinByHash(db, false) // from here on a few invoices are looked up among many
  const currencies = [...file.sums.keys()].map((currency) => ({ currency, digits: currencyDigits(currency) }))
  await writeLines(db, targets, currencies)
  await settleAmounts(db, targets, now)
  const payable = await withoutPayToken(db, reseller.id, targets)
  await setPayTokens(
    db,
    payable.map((target) => ({ ...target, token: payToken(keys, target) })),
  )
}

const payToken = (keys: Keys, { customer, invoice }: TargetInvoice): string =>
  keys.mac('pay-token', String(customer), String(invoice)).toString('base64url')
