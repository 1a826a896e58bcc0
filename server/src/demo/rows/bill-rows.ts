import { firstOfMonth } from '@counterfoil/contract/kit/day'
import { unitsToText } from '@counterfoil/contract/kit/decimal'
import { type Account, agreementIdOf, periodId } from '../account.ts'
import type { Bill } from '../bills.ts'
import type { Charge } from '../charges.ts'
import { sumOf } from '../exact-arithmetic.ts'
import type { Rows } from '../seed.queries.ts'

/** The rows of a customer's invoices with their lines and taxes, and the opening balance. */
export const billRows = (account: Account, bills: readonly Bill[]) => ({
  invoice: bills.map((bill) => invoiceRow(account, bill)) satisfies Rows<'invoice'>,
  invoice_line: bills.flatMap((bill) => bill.charges.map((charge, index) => lineRow(account, bill, charge, index + 1))),
  invoice_tax: bills.flatMap((bill) => taxRows(account, bill)),
  opening_balance: [openingBalanceRow(account, bills)] satisfies Rows<'opening_balance'>,
})

/** What the invoices before the current month still ask for: the opening balance of an account statement from its first day on. */
const openingBalanceRow = (account: Account, bills: readonly Bill[]) => {
  const asOf = firstOfMonth(account.today)
  const earlierBills = bills.filter(({ issuedOn }) => issuedOn < asOf)
  return { customer_id: account.id, balance_minor: sumOf(earlierBills.map(({ dueMinor }) => dueMinor)), as_of_on: asOf }
}

const invoiceRow = (account: Account, bill: Bill) => ({
  customer_id: account.id,
  id: bill.id,
  number: bill.number,
  agreement_id: agreementOf(account, bill.charges),
  period_id: bill.periodIndex === null ? null : periodId(account.id, bill.periodIndex),
  currency: account.reseller.currency,
  net_minor: bill.netMinor,
  amount_minor: bill.amountMinor,
  amount_due_minor: bill.dueMinor,
  issued_on: bill.issuedOn,
  due_on: bill.dueOn,
  generated_at: new Date(`${bill.issuedOn}T00:00:00Z`),
  status: bill.status,
})

/** The id of the agreement that an invoice is under: that of all its charges; null when they have several or none. */
const agreementOf = (account: Account, charges: readonly Charge[]): number | null => {
  const ids = new Set(charges.map(({ serviceNo }) => (serviceNo === null ? null : agreementIdOf(account, serviceNo))))
  return ids.size === 1 ? ([...ids][0] ?? null) : null
}

/** The row of an invoice line. A fee of a single connection names that connection. */
const lineRow = (account: Account, bill: Bill, charge: Charge, lineNo: number): Rows<'invoice_line'>[number] => ({
  customer_id: account.id,
  invoice_id: bill.id,
  line_no: lineNo,
  service_name: charge.serviceName,
  description: charge.label,
  service_item: charge.connections.length === 1 ? (charge.connections[0]?.number ?? null) : null,
  from_on: charge.fromOn,
  to_on: charge.toOn,
  quantity: charge.pieces?.quantity ?? (charge.usage === undefined ? null : unitsToText(BigInt(charge.usage.unitsMilli), 3)),
  unit: charge.usage?.unit ?? null,
  unit_price: charge.pieces === undefined ? null : unitsToText(BigInt(charge.pieces.unitMinor), 2),
  amount_minor: charge.amountMinor,
})

/** The rows of an invoice's taxes, each on the whole net amount. */
const taxRows = (account: Account, bill: Bill): Rows<'invoice_tax'> =>
  bill.taxes.map(({ name, rateMilli, amountMinor }, index) => ({
    customer_id: account.id,
    invoice_id: bill.id,
    tax_no: index + 1,
    name,
    rate_percent: unitsToText(BigInt(rateMilli), 3),
    base_minor: bill.netMinor,
    amount_minor: amountMinor,
  }))
