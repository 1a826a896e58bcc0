import { MAX_INVOICES_PER_PAYMENT } from '@counterfoil/contract/bulk-payment'
import type { Invoice } from '@counterfoil/contract/invoices'
import { formatNumber } from '../../../format/format.ts'
import { countText } from '../download/archive-texts.ts'
import { dueText, sumsByCurrency } from '../invoice-sums.tsx'

type Payable = Pick<Invoice, 'id' | 'canPay' | 'paid'>

/** Can this invoice be paid now? Only these can be selected (EASE-04) and are paid (INV-02, INV-03). */
export const isPayable = ({ canPay, paid }: Pick<Invoice, 'canPay' | 'paid'>): boolean => canPay && !paid

/** The selected invoices that are payable and unpaid. @param selectedIds row keys of the grid */
export const selectedPayable = <Row extends Payable>(invoices: readonly Row[], selectedIds: ReadonlySet<string>): readonly Row[] =>
  invoices.filter((invoice) => selectedIds.has(String(invoice.id)) && isPayable(invoice))

/** The payable invoices of one currency that are due first, as many as one payment takes. */
export const allDue = (invoices: readonly Invoice[], currency: string): readonly Invoice[] =>
  invoices
    .filter((invoice) => isPayable(invoice) && invoice.currency === currency)
    .toSorted((one, other) => one.dateDue.localeCompare(other.dateDue) || one.id - other.id)
    .slice(0, MAX_INVOICES_PER_PAYMENT)

/** Why these invoices cannot be paid together; empty where they can. */
export const obstacleText = (selected: readonly Invoice[]): string => {
  const sums = sumsByCurrency(selected)
  if (sums.length > 1) return `One payment takes one currency. Selected are ${dueText(selected)}: please pay them one after the other.`
  if (selected.length > MAX_INVOICES_PER_PAYMENT)
    return `One payment takes at most ${formatNumber(MAX_INVOICES_PER_PAYMENT, 0)}. Please take some out.`
  return ''
}

/** Says that "Select all due" left some out; empty where it did not. */
export const leftOutText = (payableCount: number, selectedCount: number, nouns: { singular: string; plural: string }): string =>
  payableCount > MAX_INVOICES_PER_PAYMENT && selectedCount === MAX_INVOICES_PER_PAYMENT
    ? `One payment takes at most ${formatNumber(MAX_INVOICES_PER_PAYMENT, 0)}. ${countText(payableCount - selectedCount, nouns)} ${payableCount - selectedCount === 1 ? 'stays' : 'stay'} due.`
    : ''
