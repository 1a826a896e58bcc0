import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'

/** The largest number of decimals of any currency. */
const MAX_CURRENCY_DIGITS = 3

export interface InvoiceTotals {
  readonly count: number
  readonly overdue: number
  readonly totalDue: number
}

/** The invoices without duplicates: the first of those with the same id or number (DASH-04). */
export const withoutDuplicates = (invoices: readonly Invoice[]): readonly Invoice[] => {
  const seen = new Set<string | number>()
  return invoices.filter(({ id, number }) => {
    const isNew = !seen.has(id) && !seen.has(number)
    seen.add(id).add(number)
    return isNew
  })
}

/** The number of invoices, of overdue ones, and the exact sum of what is due. */
export const invoiceTotals = (invoices: readonly Invoice[]): InvoiceTotals => ({
  count: invoices.length,
  overdue: invoices.filter(({ invoiceStatus }) => invoiceStatus === INVOICE_STATUS.overdue).length,
  totalDue: sumOfNumbers(
    invoices.map(({ amountDue }) => amountDue),
    MAX_CURRENCY_DIGITS,
  ),
})
