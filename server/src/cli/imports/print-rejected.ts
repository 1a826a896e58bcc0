import type { CommandIo } from '../command.ts'

const MAX_PRINTED_ROWS = 20

/**
 * Prints why rows were rejected, and how many more there are.
 * @param first the first rejected rows, which need not be all
 * @param total the number of all rejected rows
 */
export const printRejected = (io: CommandIo, first: readonly { readonly line: number; readonly reason: string }[], total: number): void => {
  const printed = first.slice(0, MAX_PRINTED_ROWS)
  for (const { line, reason } of printed) io.err(`line ${line}: ${reason}`)
  if (total > printed.length) io.err(`and ${(total - printed.length).toLocaleString('en')} more`)
}
