import { csvLine } from '@counterfoil/contract/kit/csv'
import type { RejectedRow } from '../../imports/bad-row.ts'
import { BadRows, type RowReport } from '../../imports/staging/row-report.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { CommandIo } from '../command.ts'
import { createTextFile } from '../terminal.ts'

const MAX_PRINTED_ROWS = 20

/**
 * Prints why rows were rejected, and how many more there are.
 * @param first the first rejected rows, which need not be all
 * @param total the number of all rejected rows
 */
export const printRejected = (io: CommandIo, first: readonly RejectedRow[], total: number): void => {
  const printed = first.slice(0, MAX_PRINTED_ROWS)
  for (const { file, line, reason } of printed) io.err(`${file === undefined ? '' : `${file}, `}line ${line}: ${reason}`)
  if (total > printed.length) io.err(`and ${(total - printed.length).toLocaleString('en')} more`)
}

/** Prints how many numbers had too many decimals and were rounded; nothing for zero. */
export const printRounded = (io: CommandIo, rounded: number): void => {
  if (rounded > 0)
    io.out(
      `Note: ${rounded.toLocaleString('en')} ${rounded === 1 ? 'number' : 'numbers'} with more than 18 decimals ${rounded === 1 ? 'was' : 'were'} rounded to these, half to even.`,
    )
}

/**
 * Prints why a file with bad rows was refused, and ends the command.
 * @param toJson what --json tells of the file besides the error
 * @returns the exit code
 * @throws every other error
 */
export const printRefusal = (io: CommandIo, error: unknown, toJson: (found: RowReport) => object): number => {
  if (!(error instanceof BadRows)) throw error
  const { found, message } = error
  printRejected(io, found.firstRejected, found.rejected)
  printOtherValues(io, found.repeatedWithOtherValues)
  io.err(`${message} --skip-bad imports the others.`)
  if (io.json) io.out(JSON.stringify({ error: message, ...toJson(found) }))
  return 1
}

/** Tells on standard error how many rows repeat a stored record with other values; nothing for zero. */
export const printOtherValues = (io: CommandIo, count = 0): void => {
  if (count > 0)
    io.err(
      `${rowsText(count)} ${count === 1 ? 'is' : 'are'} repeated with other values; --correct takes them in the place of the stored ones.`,
    )
}

export const rowsText = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`

/**
 * Runs an import of the file `input` that writes its bad rows, line and reason, as CSV into a new file; nowhere for undefined.
 * @throws OperatorError when both are one file
 */
export const withRejectsFile = async <T>(
  rejects: string | undefined,
  input: string,
  work: (reject: (row: RejectedRow) => Promise<void>) => Promise<T>,
): Promise<T> => {
  if (rejects === input) throw new OperatorError('The file of rejects would take the place of the file to import; name another.')
  const file = rejects === undefined ? null : await createTextFile(rejects)
  try {
    await file?.write('line,reason\n')
    return await work(async ({ line, reason }) => file?.write(`${csvLine([String(line), reason])}\n`))
  } finally {
    await file?.close()
  }
}
