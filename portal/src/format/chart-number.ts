import { formatMoney, numberFormat } from './format.ts'

/** Amounts from here on are shortened in charts. */
const MIN_COMPACT_AMOUNT = 100_000

const COMPACT = { notation: 'compact', maximumFractionDigits: 2 } as const

/** An amount for a chart's bar: with two decimals, from 100,000 on shortened to "1.46M". The tooltip has the exact amount. */
export const formatCompactAmount = (amount: number): string =>
  Math.abs(amount) < MIN_COMPACT_AMOUNT ? formatMoney(amount, '') : numberFormat(COMPACT).format(amount)

/** The value of a chart's gridline, with as few decimals as it has. */
export const formatTick = (value: number): string =>
  numberFormat(Math.abs(value) < MIN_COMPACT_AMOUNT ? { maximumFractionDigits: 2 } : COMPACT).format(value)
