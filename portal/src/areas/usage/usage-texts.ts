import { formatSpan } from '../../format/calendar.ts'
import { formatNumber } from '../../format/format.ts'
import { pageCount } from '../../ui/grid/pagination-model.ts'
import { AskFailed, messageOf } from '../../api/call-api.ts'
import type { UsagePage } from './usage.data.ts'
import { DownloadCut, type DownloadProgress } from './usage-download.ts'

/** "34,628 records". */
export const recordsWords = (records: number): string => {
  if (records === 0) return 'No records'
  return `${formatNumber(records, 0)} ${records === 1 ? 'record' : 'records'}`
}

/** What has been found and in which days, as "34,628 records · 1 – 20 Nov 2026 UTC". */
export const foundWords = ({ total, span }: Pick<UsagePage, 'total' | 'span'>): string => `${recordsWords(total)} · ${formatSpan(span)} UTC`

/** "Page 1 of 347"; nothing where one page holds all. */
export const pageWords = (page: number, total: number, pageSize: number): string => {
  const count = pageCount(total, pageSize)
  return count === 1 ? '' : `Page ${formatNumber(Math.min(page, count), 0)} of ${formatNumber(count, 0)}`
}

/** "12,400 of 34,628 records". */
export const progressWords = ({ rows, of }: DownloadProgress): string => `${formatNumber(rows, 0)} of ${recordsWords(of)}`

/** Units with at most two decimals, and with more where two would make nothing of them. */
export const unitsWords = (units: number): string => formatNumber(units, units === 0 || Math.abs(units) >= 0.01 ? 2 : 8)

/** Why a download was not saved, and what to do. */
export const downloadFailure = (error: unknown): string => {
  if (error instanceof DownloadCut) return `${brokenOff(error.progress)} Nothing was saved. Try again.`
  if (error instanceof AskFailed) return messageOf(error)
  return 'The file could not be written. Nothing was saved.'
}

const brokenOff = (progress: DownloadProgress): string =>
  Number.isSafeInteger(progress.of) ? `The download broke off after ${progressWords(progress)}.` : 'The download did not come whole.'
