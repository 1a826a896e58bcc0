import { type ArchiveFormat, MAX_CHOSEN_INVOICES, MAX_JOINED_INVOICES, MAX_ZIPPED_INVOICES } from '@counterfoil/contract/invoices'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import { ApiError, invalidInput, notFound } from '../../kit/api-error.ts'

export type ArchiveSelection = { readonly year: number } | { readonly ids: readonly number[] }

/**
 * What an archive shall hold: a year's invoices or those with the ids in a comma-separated list, each once.
 * @throws ApiError 400 where neither is named, or both, or too many ids; 404 for an id that is no number
 */
export const parseArchiveSelection = ({ year, ids }: { year?: number; ids?: string }): ArchiveSelection => {
  if ((year === undefined) === (ids === undefined)) throw invalidInput('query.year', 'Name either a year or the ids of invoices.')
  if (year !== undefined) return { year }
  const numbers = [...new Set((ids ?? '').split(',').map(Number))]
  if (numbers.length > MAX_CHOSEN_INVOICES)
    throw invalidInput('query.ids', `At most ${MAX_CHOSEN_INVOICES} invoices can be chosen at once. Ask for a year instead.`)
  if (!numbers.every(Number.isSafeInteger)) throw notFound()
  return { ids: numbers }
}

const MAX_INVOICES: Readonly<Record<ArchiveFormat, number>> = { zip: MAX_ZIPPED_INVOICES, pdf: MAX_JOINED_INVOICES }

/** How many invoices an archive of this format may hold. */
export const maxArchivedInvoices = (format: ArchiveFormat): number => MAX_INVOICES[format]

/** @throws ApiError 404 where there are none or an id is not the customer's; 400 where there are too many for one file */
export const assertArchivable = (selection: ArchiveSelection, found: number, format: ArchiveFormat): void => {
  if ('ids' in selection && found < Math.min(selection.ids.length, MAX_INVOICES[format] + 1)) throw notFound()
  if (found === 0 && 'year' in selection) throw new ApiError('not_found', `There are no invoices of ${selection.year}.`)
  if (found <= MAX_INVOICES[format]) return
  throw new ApiError(
    'too_many_records',
    format === 'pdf'
      ? `One PDF holds at most ${MAX_JOINED_INVOICES} invoices. Download a ZIP, or choose fewer.`
      : `One ZIP holds at most ${MAX_ZIPPED_INVOICES} invoices. Choose fewer.`,
  )
}

/**
 * The file name of each invoice's PDF in an archive. Numbers that would have the same name get " (2)", " (3)"; upper and lower case are the
 * same, because some systems think so.
 */
export const archiveNames = (numbers: readonly string[]): string[] => {
  const taken = new Set<string>()
  const numberOfName = new Map<string, number>()
  return numbers.map((number) => {
    const base = toFileName(number)
    const key = base.toLowerCase()
    let count = numberOfName.get(key) ?? 1
    let name = count === 1 ? base : `${base} (${count})`
    while (taken.has(name.toLowerCase())) {
      count += 1
      name = `${base} (${count})`
    }
    numberOfName.set(key, count)
    taken.add(name.toLowerCase())
    return `${name}.pdf`
  })
}
