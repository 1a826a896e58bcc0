import type { Invoice } from '@counterfoil/contract/invoices'
import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import { currencyDigits } from '@counterfoil/contract/kit/money'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { groupBy } from '../../format/group-by.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { amountOwed, creditOf } from '../../payments/invoices/invoice-state.ts'
import type { GridSums } from '../../ui/grid/grid-model.ts'
import { SumLines } from '../../ui/grid/sum-lines.tsx'
import styles from './invoices.module.css'

/** The exact sums of the invoices in one currency. */
export interface CurrencySums {
  readonly currency: string
  readonly symbol: string
  readonly amount: number
  readonly amountDue: number
  /** What credit notes still give; it is not taken off what is due. */
  readonly credit: number
}

/** The exact sums by currency, in the order in which the currencies come; different currencies are never added together. */
export const sumsByCurrency = (
  invoices: readonly Pick<Invoice, 'currency' | 'currencySymbol' | 'amount' | 'amountDue'>[],
): CurrencySums[] =>
  [...groupBy(invoices, ({ currency }) => currency).entries()].map(([currency, own]) => {
    const sum = (numbers: readonly number[]): number => sumOfNumbers(numbers, currencyDigits(currency))
    return {
      currency,
      symbol: own[0]?.currencySymbol ?? '',
      amount: sum(own.map(({ amount }) => amount)),
      amountDue: sum(own.map(amountOwed)),
      credit: sum(own.map(creditOf)),
    }
  })

/** What is due in all, such as "A$2,990.00", or "A$91.74 and €5.00". */
export const dueText = (invoices: readonly Invoice[]): string =>
  sumsByCurrency(invoices)
    .map(({ amountDue, symbol }) => formatMoney(amountDue, symbol))
    .join(' and ')

/** What credit notes still give in all, such as "Credit A$20.00"; empty where there is none. */
const creditText = (sums: readonly CurrencySums[]): string => {
  const credits = sums.filter(({ credit }) => credit > 0).map(({ credit, symbol }) => formatMoney(credit, symbol))
  return credits.length === 0 ? '' : `Credit ${credits.join(' and ')}`
}

/** Is a bank debit of the invoice on its way, so that its amount is due and yet not to be paid here? */
export const isOnItsWay = ({ invoiceStatus, amountDue }: Invoice): boolean => invoiceStatus === INVOICE_STATUS.inCollection && amountDue > 0

/** Such as "A$91.74 on its way". */
export const onItsWayText = (invoices: readonly Invoice[]): string => `${dueText(invoices)} on its way`

/** The row of sums under the list: a line for each currency (EASE-06). */
export const invoiceSums = (invoices: readonly Invoice[], nouns: { readonly singular: string; readonly plural: string }): GridSums => {
  const sums = sumsByCurrency(invoices)
  const onItsWay = invoices.filter(isOnItsWay)
  const credit = creditText(sums)
  const cell = (amountOf: (sum: CurrencySums) => number) => <SumLines texts={sums.map((sum) => formatMoney(amountOf(sum), sum.symbol))} />
  return {
    label: `Sum of ${formatNumber(invoices.length)} ${invoices.length === 1 ? nouns.singular : nouns.plural}`,
    cells: {
      amount: cell(({ amount }) => amount),
      amountDue: (
        <span>
          {cell(({ amountDue }) => amountDue)}
          {onItsWay.length > 0 && <span className={styles.onItsWay}>{onItsWayText(onItsWay)}</span>}
          {credit !== '' && <span className={styles.onItsWay}>{credit}</span>}
        </span>
      ),
    },
  }
}
