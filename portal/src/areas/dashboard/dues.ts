import { MAX_INVOICES_PER_PAYMENT } from '@counterfoil/contract/bulk-payment'
import type { Invoice } from '@counterfoil/contract/invoices'
import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { groupBy } from '../../format/group-by.ts'
import { amountOwed, creditOf } from '../../payments/invoices/invoice-state.ts'

/** The largest number of decimals of any currency. */
export const MAX_CURRENCY_DIGITS = 3

/** An amount with its currency's symbol. Amounts of different symbols are never added together. */
export interface Amount {
  readonly symbol: string
  readonly amount: number
}

/** What is due now in one currency. */
export interface Due extends Amount {
  /** The invoices, the one that is due first at the front. */
  readonly invoices: readonly Invoice[]
  /** Those that one payment pays, the one that is due first at the front. */
  readonly payableIds: readonly number[]
  /** What they come to. */
  readonly payableAmount: number
  /** Payable invoices that one payment has no place for. */
  readonly unpayableCount: number
}

/** The summary of an account's invoices. */
export interface Dues {
  readonly invoiceCount: number
  readonly overdueCount: number
  /** One for each currency in which something is due. */
  readonly due: readonly Due[]
  readonly overdue: readonly Amount[]
  readonly inCollection: readonly Amount[]
  /** Invoices for which a payment is under way. */
  readonly beingPaid: readonly Amount[]
  /** What credit notes still give; it is not taken off what is due. */
  readonly credit: readonly Amount[]
}

/** The invoices without duplicates, in their order: of those with the same id or number the first stays (DASH-04). */
export const withoutDuplicates = (invoices: readonly Invoice[]): readonly Invoice[] => {
  const seen = new Set<string | number>()
  return invoices.filter(({ id, number }) => {
    const isNew = !seen.has(id) && !seen.has(number)
    seen.add(id).add(number)
    return isNew
  })
}

/**
 * What is due now, exact and by currency (EASE-01). Invoices in collection or being paid ask for nothing, so they stand apart.
 * @param hasPayments whether customers pay in this portal: then an open invoice that cannot be paid is being paid
 */
export const duesOf = (invoices: readonly Invoice[], hasPayments: boolean): Dues => {
  const unpaid = invoices.filter((invoice) => isUnpaid(invoice) && amountOwed(invoice) > 0)
  const due = unpaid.filter(({ canPay }) => canPay || !hasPayments).toSorted(byDueDay)
  const overdue = due.filter(({ invoiceStatus }) => invoiceStatus === INVOICE_STATUS.overdue)
  return {
    invoiceCount: invoices.length,
    overdueCount: overdue.length,
    due: bySymbol(due).map(([symbol, group]) => toDue(symbol, group)),
    overdue: amountsOf(overdue),
    inCollection: amountsOf(invoices.filter(({ invoiceStatus }) => invoiceStatus === INVOICE_STATUS.inCollection)),
    beingPaid: amountsOf(unpaid.filter(({ canPay }) => hasPayments && !canPay)),
    credit: amountsOf(
      invoices.filter((invoice) => creditOf(invoice) > 0),
      creditOf,
    ),
  }
}

/** Whether an invoice is open or overdue; one in collection by bank debit is not. */
const isUnpaid = ({ invoiceStatus }: Invoice): boolean => invoiceStatus === INVOICE_STATUS.open || invoiceStatus === INVOICE_STATUS.overdue

/** Compares for sorting: the invoice that is due first comes first. */
const byDueDay = (one: Invoice, other: Invoice): number => one.dateDue.localeCompare(other.dateDue) || one.id - other.id

/** What is due in one currency; of its payable invoices, `MAX_INVOICES_PER_PAYMENT` go into one payment. */
const toDue = (symbol: string, invoices: readonly Invoice[]): Due => {
  const payable = invoices.filter(({ canPay }) => canPay)
  const paid = payable.slice(0, MAX_INVOICES_PER_PAYMENT)
  return {
    symbol,
    amount: sumDue(invoices),
    invoices,
    payableIds: paid.map(({ id }) => id),
    payableAmount: sumDue(paid),
    unpayableCount: payable.length - paid.length,
  }
}

/** The sum of each currency symbol; of what is owed, unless `amountOf` says otherwise. */
const amountsOf = (invoices: readonly Invoice[], amountOf: (invoice: Invoice) => number = amountOwed): Amount[] =>
  bySymbol(invoices).map(([symbol, group]) => ({ symbol, amount: sumOfNumbers(group.map(amountOf), MAX_CURRENCY_DIGITS) }))

/** The invoices in groups by their currency's symbol. */
const bySymbol = (invoices: readonly Invoice[]): [string, Invoice[]][] => [
  ...groupBy(invoices, ({ currencySymbol }) => currencySymbol).entries(),
]

/** The exact sum of what is owed for invoices of one currency. */
const sumDue = (invoices: readonly Invoice[]): number => sumOfNumbers(invoices.map(amountOwed), MAX_CURRENCY_DIGITS)
