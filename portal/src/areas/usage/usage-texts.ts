import { roundToUnits, unitsToText } from '@counterfoil/contract/kit/decimal'
import { formatDayRange, formatMoney, formatNumber, formatUnitPrice } from '../../format/format.ts'
import { pageCount } from '../../ui/grid/pagination-model.ts'
import { ApiError, messageOf } from '../../api/call-api.ts'
import type { UsagePage } from './usage.data.ts'
import { spanOf } from './usage-view.ts'
import { IncompleteDownloadError } from './incomplete-download-error.ts'
import type { DownloadProgress } from './incomplete-download-error.ts'

/** "34,628 records" */
export const recordCountText = (count: number): string => {
  if (count === 0) return 'No records'
  return `${formatNumber(count, 0)} ${count === 1 ? 'record' : 'records'}`
}

/** "34,628 records · 1 – 20 Nov 2026 UTC" */
export const resultText = ({ total, filter }: Pick<UsagePage, 'total' | 'filter'>): string =>
  `${recordCountText(total)} · ${formatDayRange(spanOf(filter))} UTC`

/** "Page 1 of 347"; "" when there is only one page. */
export const pageText = (page: number, total: number, pageSize: number): string => {
  const count = pageCount(total, pageSize)
  return count === 1 ? '' : `Page ${formatNumber(Math.min(page, count), 0)} of ${formatNumber(count, 0)}`
}

/** "12,400 of 34,628 records" */
export const progressText = ({ rows, total }: DownloadProgress): string => `${formatNumber(rows, 0)} of ${recordCountText(total)}`

const PRICE_DECIMALS = 4

/** An exact price as money with four decimals, rounded half away from zero. */
export const exactPriceText = (price: string, currencySymbol: string): string =>
  formatUnitPrice(Number(unitsToText(roundToUnits(price, PRICE_DECIMALS), PRICE_DECIMALS)), currencySymbol)

/** A total as an amount of money; exact, with four decimals, where it is less than one. The exact total also stands below the records. */
export const totalText = (price: string, currencySymbol: string): string =>
  Math.abs(Number(price)) < 1 ? exactPriceText(price, currencySymbol) : formatMoney(Number(price), currencySymbol)

/** Units with two decimals, or eight when two would show zero. */
export const unitsText = (units: number): string => formatNumber(units, units === 0 || Math.abs(units) >= 0.01 ? 2 : 8)

/** The error text of a failed download. */
export const downloadErrorText = (error: unknown): string => {
  if (error instanceof IncompleteDownloadError) return `${incompleteText(error.progress)} Nothing was saved. Try again.`
  if (error instanceof ApiError) return messageOf(error)
  return 'The file could not be written. Nothing was saved.'
}

/** After how many rows the download stopped, where the total is known. */
const incompleteText = (progress: DownloadProgress): string =>
  Number.isSafeInteger(progress.total) ? `The download stopped after ${progressText(progress)}.` : 'The download is incomplete.'
