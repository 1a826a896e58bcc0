import { formatMoney, formatMonth, formatNumber } from '../../format/format.ts'
import { changeOf, type MonthPair, type PartSum, type SpendingYears } from './spending-years.ts'

/** The months of a year without the running one. */
const WHOLE_MONTHS = 11

/** The note that says which amounts the figures are made of. @param invoicePlural what the brand calls invoices, such as "bills" */
export const spendingNote = (invoicePlural: string): string =>
  `The amounts of your ${invoicePlural} with taxes, by month of issue. Services are without taxes, which have their own line.`

/** The change against the year before, like for like: "A$120.00 (14 %) more than in the same 11 months a year before". */
export const comparisonText = ({ comparison, symbol }: SpendingYears): string => {
  if (comparison === null) return 'There is no year before to compare with'
  const { before, months } = comparison
  const period = months === 1 ? 'the same month a year before' : `the same ${months} months a year before`
  const difference = changeOf(comparison)
  if (difference === 0) return `As much as in ${period}`
  const percent = before > 0 ? ` (${formatNumber((Math.abs(difference) / before) * 100, percentDecimals(difference, before))} %)` : ''
  return `${formatMoney(Math.abs(difference), symbol)}${percent} ${difference > 0 ? 'more' : 'less'} than in ${period}`
}

/** An amount of change as money with its sign, such as "+A$120.00"; zero has none. */
export const changeText = (change: number, symbol: string): string => `${change > 0 ? '+' : ''}${formatMoney(change, symbol)}`

/** The note that says which months the comparison leaves out; empty without a comparison. */
export const comparedMonthsNote = ({ comparison }: SpendingYears): string =>
  comparison === null
    ? ''
    : `The comparison leaves out the running month${comparison.months < WHOLE_MONTHS ? ' and those before your first' : ''}.`

/** A month's amount and, on a second line, that of the same month a year before, for the tooltip of a chart. */
export const monthDetail = ({ month, monthBefore, amount, before, isRunning }: MonthPair, symbol: string): string =>
  `${formatMonth(month)}${isRunning ? ' so far' : ''}: ${formatMoney(amount, symbol)}\n${formatMonth(monthBefore)}: ${formatMoney(before, symbol)}`

/** The name of a part of the spending: the service's own, "Taxes" or "Other". */
export const partLabel = ({ kind, serviceName }: Pick<PartSum, 'kind' | 'serviceName'>): string =>
  kind === 'service' ? serviceName : kind === 'taxes' ? 'Taxes' : 'Other'

/** The number of decimals of a percentage: none, and one below one percent. */
const percentDecimals = (difference: number, before: number): number => (Math.abs(difference) / before < 0.01 ? 1 : 0)
