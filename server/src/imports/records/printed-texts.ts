import type { UnprintableNames } from '../../documents/unprintable-names.ts'
import type { ImportKind } from './kind.rules.ts'

/** The kinds of records whose texts stand on invoices. */
const PRINTED_KINDS: ReadonlySet<string> = new Set(['customers', 'services', 'invoices', 'invoice-lines', 'invoice-taxes'])

/** Adds to `unprintable` the texts of a row that documents (PDFs) cannot show. @param row its fields as JSON */
export const notePrintedTexts = ({ name }: ImportKind, row: string, unprintable: UnprintableNames): void => {
  if (!PRINTED_KINDS.has(name) || /^[\x20-\x7e]*$/.test(row)) return
  for (const value of Object.values(JSON.parse(row) as Record<string, unknown>)) if (typeof value === 'string') unprintable.note(value)
}
