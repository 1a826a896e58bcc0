import type { RejectedRow } from '../../imports/bad-row.ts'
import type { CommandIo } from '../command.ts'

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
