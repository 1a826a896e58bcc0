import { BadRow } from './bad-row.ts'
import { fitWidth } from './csv-lines.ts'

/**
 * The fields of a row in the width of its header: empty fields beyond the last column are left out, missing ones of columns without a name
 * added.
 * @throws BadRow when the row has other columns
 */
export const inColumns = (fields: readonly string[], header: readonly string[]): readonly string[] => {
  const fitting = fitWidth(fields, header)
  if (fitting === null) throw new BadRow(`it has ${fields.length} columns; the header has ${header.length}`)
  return fitting
}

/** Checks the columns without a name. @throws BadRow when the row has a value at one of these positions */
export const assertNoValues = (fields: readonly string[], unnamed: readonly number[]): void => {
  if (unnamed.some((position) => fields[position]?.trim() !== '')) throw new BadRow('a column without a name holds a value')
}
