import { MAX_INVOICES_PER_PAYMENT } from '@counterfoil/contract/bulk-payment'
import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import type { Amount, Due } from './dues.ts'

/** What the brand calls an invoice within a sentence. */
interface Nouns {
  readonly singular: string
  readonly plural: string
}

/** How many invoices are due, and since or from when: "2 invoices, the oldest due since 14 Nov 2026". */
export const dueText = ({ invoices }: Due, nouns: Nouns): string => {
  const [first] = invoices
  if (first === undefined) return ''
  const when = `due ${first.invoiceStatus === INVOICE_STATUS.overdue ? 'since' : 'on'} ${formatDay(first.dateDue)}`
  if (invoices.length === 1) return `1 ${nouns.singular}, ${when}`
  const which = first.invoiceStatus === INVOICE_STATUS.overdue ? 'oldest' : 'first'
  return `${formatNumber(invoices.length)} ${nouns.plural}, the ${which} ${when}`
}

/** Says that one payment does not take all; empty where it does. */
export const limitText = ({ unpayableCount }: Due, nouns: Nouns): string =>
  unpayableCount === 0
    ? ''
    : `One payment takes ${formatNumber(MAX_INVOICES_PER_PAYMENT)} ${nouns.plural}. The oldest are paid first, and ${formatNumber(unpayableCount)} stay due.`

/** The newest invoice, where nothing is due: "The latest invoice, INV-7 of 1 Nov 2026, came to A$12.00". */
export const latestText = ({ number, dateInvoice, amount, currencySymbol }: Invoice, { singular }: Nouns): string =>
  `The latest ${singular}, ${number} of ${formatDay(dateInvoice)}, came to ${formatMoney(amount, currencySymbol)}`

/** Amounts of several currencies beside each other. */
export const amountsText = (amounts: readonly Amount[]): string =>
  amounts.map(({ amount, symbol }) => formatMoney(amount, symbol)).join(' and ')
