import type { InvoiceDocument } from '../../documents/invoice-document.ts'

/** The sums of an invoice, in minor units. */
export interface InvoiceSums {
  readonly lines: readonly number[]
  readonly net: number
  readonly taxes: readonly number[]
  readonly total: number
  /** What is due or, below zero, a credit note's credit. */
  readonly balance: number
}

/**
 * The lines, such as "Rounding" or "Paid", that explain the differences between an invoice's lines, net total, taxes, total and balance, so
 * that its figures add up by reading. Null where there is no difference.
 * @param text a number of minor units as it is printed
 */
export const invoiceAdjustments = (
  { lines, net, taxes, total, balance }: InvoiceSums,
  status: InvoiceDocument['status'],
  text: (minor: number) => string,
): InvoiceDocument['adjustments'] => {
  const adjustment = (minor: number, name: string) => (minor === 0 ? null : { name, amount: text(minor) })
  const netGap = lines.length === 0 ? 0 : net - sumOf(lines)
  const taxGap = total - net - sumOf(taxes)
  return {
    net: adjustment(netGap, isRounding(netGap, lines) ? 'Rounding' : 'Other charges'),
    tax: adjustment(taxGap, taxes.length === 0 ? 'Tax' : isRounding(taxGap, taxes) ? 'Rounding' : 'Other taxes'),
    due: adjustment(balance - total, DUE_NAMES[status]),
  }
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** Whether a gap can come from rounding alone: each amount may have been rounded by at most one minor unit. */
const isRounding = (gap: number, amounts: readonly number[]): boolean => Math.abs(gap) <= amounts.length

/** The billing engine states what is left to pay, and not how the rest was settled. */
const DUE_NAMES: Readonly<Record<InvoiceDocument['status'], string>> = {
  open: 'Paid or credited so far',
  overdue: 'Paid or credited so far',
  'in-collection': 'Paid or credited so far',
  paid: 'Paid',
  credited: 'Credited',
  'credit-note': 'Set off so far',
}
