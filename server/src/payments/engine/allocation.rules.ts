import type { Entry } from './settle.queries.ts'

/** A line of the book: an invoice, an adjustment, or, with neither, the fee. */
export type Line = Omit<Entry, 'kind'>

/** What an amount that came back takes of each line, from the last (the fee) upwards, and never more than is booked there. */
export const takenBack = (booked: readonly Line[], amountMinor: number, kind: 'refund' | 'reversal'): Entry[] => {
  let left = amountMinor
  return booked.toReversed().flatMap((line) => {
    const taken = Math.min(left, line.amountMinor)
    left -= taken
    return taken > 0 ? [{ ...line, kind, amountMinor: -taken }] : []
  })
}

/** What an amount that came after all (a won dispute) gives to each line, from the first, and never more than was asked for it. */
export const givenAgain = (asked: readonly Line[], booked: readonly Line[], amountMinor: number): Entry[] => {
  let left = amountMinor
  return asked.flatMap((line) => {
    const has = booked.find((one) => one.invoiceId === line.invoiceId && one.adjustmentId === line.adjustmentId)?.amountMinor ?? 0
    const taken = Math.min(left, line.amountMinor - has)
    left -= taken
    return taken > 0 ? [{ ...line, kind: 'pay' as const, amountMinor: taken }] : []
  })
}
