import { formatMoney } from './format.ts'
import { pageLocale } from './locale.ts'

const TOO_LONG = 100_000

/** A figure for a bar or an axis: two decimals, and from a hundred thousand on "1.46M", for the exact one stands in the bar's detail. */
export const formatShortFigure = (value: number): string =>
  Math.abs(value) < TOO_LONG
    ? formatMoney(value, '')
    : new Intl.NumberFormat(pageLocale(), { notation: 'compact', maximumFractionDigits: 2 }).format(value)

/** A gridline's value: as few decimals as it has. */
export const formatTick = (value: number): string =>
  new Intl.NumberFormat(pageLocale(), { notation: Math.abs(value) < TOO_LONG ? 'standard' : 'compact', maximumFractionDigits: 2 }).format(
    value,
  )
