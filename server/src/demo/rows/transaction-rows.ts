import { unitsToText } from '@counterfoil/contract/kit/decimal'
import { type Account, agreementIdOf, periodId, serviceId } from '../account.ts'
import type { Bill } from '../bills.ts'
import { PERIODS } from '../calendar.ts'
import { type Charge, monthlyCharges } from '../charges.ts'
import type { Connection } from '../connections.ts'
import type { Rows } from '../seed.queries.ts'

type Row = Rows<'billing_transaction'>[number]
/** A charge, or the part of a fee that one connection is charged. Becomes one transaction. */
interface Posting {
  readonly charge: Charge
  readonly connection: Connection | null
  readonly periodIndex: number
  readonly invoiceId: number | null
}

/**
 * The transactions of all charges: one for each connection of a fee, one for any other charge.
 * Those of the current month have no invoice yet.
 */
export const transactionRows = (account: Account, bills: readonly Bill[]): Rows<'billing_transaction'> => {
  const current = account.periods[PERIODS - 1]
  const billed = bills.flatMap((bill) => postingsOfBill(bill))
  const unbilled =
    current === undefined ? [] : monthlyCharges(account, current).flatMap((charge) => postingsOfCharge(charge, current.index, null))
  return [...billed, ...unbilled].map((posting, index) => rowOf(account, posting, index + 1))
}

/** The postings of a bill's charges. A bill from before the first period, whose `periodIndex` is null, has no postings. */
const postingsOfBill = ({ id, periodIndex, charges }: Bill): Posting[] =>
  periodIndex === null ? [] : charges.flatMap((charge) => postingsOfCharge(charge, periodIndex, id))

/** The postings of a charge: one for each of its connections; a single one where it has none. */
const postingsOfCharge = (charge: Charge, periodIndex: number, invoiceId: number | null): Posting[] =>
  charge.connections.length === 0
    ? [{ charge, connection: null, periodIndex, invoiceId }]
    : charge.connections.map((connection) => ({ charge, connection, periodIndex, invoiceId }))

/** The row of a posting's transaction. `nth` counts the customer's transactions from 1. */
const rowOf = (account: Account, { charge, connection, periodIndex, invoiceId }: Posting, nth: number): Row => ({
  customer_id: account.id,
  id: account.id * 10_000 + nth,
  agreement_id: charge.serviceNo === null ? null : agreementIdOf(account, charge.serviceNo),
  period_id: periodId(account.id, periodIndex),
  invoice_id: invoiceId,
  product_label: charge.label,
  product_name: charge.code,
  service_id: charge.serviceNo === null ? null : serviceId(account.reseller.id, charge.serviceNo),
  service_item: connection?.number ?? null,
  site_label: connection?.site ?? null,
  date_from: charge.fromOn,
  date_to: charge.toOn,
  price: unitsToText(BigInt(priceMinor(charge, connection)), 2),
  quantity: connection === null ? (charge.pieces?.quantity ?? 1) : 1,
  ...extraFields(account, charge, connection),
})

/** The price of a posting's transaction: for a connection that of one piece, else the charge's whole amount. */
const priceMinor = ({ pieces, amountMinor }: Charge, connection: Connection | null): number =>
  connection === null || pieces === undefined ? amountMinor : pieces.unitMinor

const BUYERS = ['P. Costa', 'T. Visser', 'G. Mbeki', 'S. Patel']

/** The extra columns of a transaction: order, contract, buyer, asset and project. Null where the reseller has no names for them. */
const extraFields = (account: Account, charge: Charge, connection: Connection | null) => {
  const isLabelled = account.reseller.transactionLabels !== undefined
  const nth = connection === null ? 0 : connection.id % 1000
  return {
    extra_field1: isLabelled ? `PO-${70_400 + Math.floor(nth / 12)}` : null,
    extra_field2: isLabelled ? `${charge.code.slice(0, 6)}/${account.id % 100}` : null,
    extra_field3: isLabelled ? (BUYERS[nth % BUYERS.length] ?? null) : null,
    extra_field4: isLabelled && connection !== null ? `AT-${String(1000 + nth * 3)}` : null,
    extra_field5: isLabelled ? (connection?.costCentre ?? null) : null,
  }
}
