import { MAX_INVOICES_PER_PAYMENT } from '@counterfoil/contract/bulk-payment'
import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import type { DueAdjustment } from '@counterfoil/contract/kit/payments/adjustment'
import { isCreditNote } from '../../payments/invoices/invoice-state.ts'
import { type Amount, type Due, MAX_CURRENCY_DIGITS } from './dues.ts'

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

/** Says that one payment does not take all payable invoices, and how many stay due; empty where one does. */
export const limitText = ({ unpayableCount }: Due, nouns: Nouns): string =>
  unpayableCount === 0
    ? ''
    : `One payment takes ${formatNumber(MAX_INVOICES_PER_PAYMENT)} ${nouns.plural}. The oldest are paid first, and ${formatNumber(unpayableCount)} stay due.`

/**
 * Says by how much paying all of a currency is more than its invoices, and what for; empty where it is not: "Pay all due adds $12.50
 * (Late payment fee, August): together $987.32, before payment fees".
 */
export const adjustmentsText = (
  { symbol, payableAmount, invoices }: Due,
  adjustments: readonly DueAdjustment[],
  buttonText: string,
): string => {
  const own = adjustments.filter(({ currencySymbol }) => currencySymbol === symbol)
  if (own.length === 0) return ''
  const amounts = own.map(({ amount }) => amount)
  const money = (parts: readonly number[]): string => formatMoney(sumOfNumbers(parts, MAX_CURRENCY_DIGITS), symbol)
  const reasons = [...new Set(own.map(({ description }) => description))].join('; ')
  const rest = invoices.some(({ fee }) => fee > 0) ? ', before payment fees' : ''
  return `${buttonText} adds ${money(amounts)} (${reasons}): together ${money([payableAmount, ...amounts])}${rest}`
}

/** The text of the button that pays what is due: "Pay all due", or "Pay all due in €" where there are several currencies. */
export const payAllText = ({ symbol }: Due, currencyCount: number): string =>
  currencyCount === 1 ? 'Pay all due' : `Pay all due in ${symbol}`

/** The newest invoice, where nothing is due: "The latest invoice, INV-7 of 1 Nov 2026, came to A$12.00"; or the newest credit note. */
export const latestText = ({ number, dateInvoice, amount, currencySymbol }: Invoice, { singular }: Nouns): string =>
  `The latest ${isCreditNote({ amount }) ? 'credit note' : singular}, ${number} of ${formatDay(dateInvoice)}, came to ${formatMoney(Math.abs(amount), currencySymbol)}`

/** Amounts of several currencies, never added together: "A$91.74 and €5.00". */
export const amountsText = (amounts: readonly Amount[]): string =>
  amounts.map(({ amount, symbol }) => formatMoney(amount, symbol)).join(' and ')
