import { type ArchiveFormat, MAX_CHOSEN_INVOICES, MAX_JOINED_INVOICES, MAX_ZIPPED_INVOICES } from '@counterfoil/contract/invoices'
import { ApiError, messageOf } from '../../../api/call-api.ts'
import { formatNumber } from '../../../format/format.ts'
import { formatFileSize } from '../../../format/file-size.ts'
import { type ArchiveProgress, IncompleteArchiveError } from './archive-download.ts'

interface Nouns {
  readonly singular: string
  readonly plural: string
}

/** "1 invoice", "1,204 invoices". */
export const countText = (count: number, nouns: Nouns): string => `${formatNumber(count, 0)} ${count === 1 ? nouns.singular : nouns.plural}`

/** How far a download is: "3 of 12 invoices" of a ZIP, "1.2 MB of 3 MB" of a PDF, "1.2 MB" of a PDF of unknown size. */
export const progressText = ({ unit, value, total }: ArchiveProgress, nouns: Nouns): string =>
  unit === 'documents'
    ? `${formatNumber(value, 0)} of ${countText(total, nouns)}`
    : [formatFileSize(value), ...(Number.isNaN(total) ? [] : [formatFileSize(total)])].join(' of ')

/** Why so many invoices do not fit into one file; empty where they fit. @param isYear whether all invoices are of one year */
export const limitText = (format: ArchiveFormat, count: number, isYear: boolean, { plural }: Nouns): string => {
  const maxText = (limit: number): string => `${formatNumber(limit, 0)} ${plural}`
  if (format === 'pdf' && count > MAX_JOINED_INVOICES)
    return `One PDF holds at most ${maxText(MAX_JOINED_INVOICES)}. Download a ZIP, or filter the list.`
  if (count > MAX_ZIPPED_INVOICES) return `One ZIP holds at most ${maxText(MAX_ZIPPED_INVOICES)}. Filter the list by year.`
  if (!isYear && count > MAX_CHOSEN_INVOICES)
    return `At most ${maxText(MAX_CHOSEN_INVOICES)} of several years come in one file. Filter the list by year.`
  return ''
}

/** The error text of a failed download. */
export const archiveErrorText = (error: unknown): string => {
  if (error instanceof IncompleteArchiveError) return 'The download broke off. Nothing was saved. Try again.'
  if (error instanceof ApiError) return messageOf(error)
  return 'The file could not be written. Nothing was saved.'
}
