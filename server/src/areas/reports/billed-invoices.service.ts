import { type BilledInvoice, billedCurrencies, billedInvoices } from './billed-invoices.queries.ts'
import { ReportImpossible, type ReportWork } from './built-in-report.service.ts'

/** The invoices that were issued in the days of a report, oldest first, all of them where it names no days; some of them in memory at a time. */
export async function* invoicesInTurn({ transact, scope, given }: ReportWork): AsyncGenerator<BilledInvoice> {
  let last: BilledInvoice | null = null
  for (;;) {
    const piece: BilledInvoice[] = await transact((db) => billedInvoices(db, scope, given.days, last), 'background')
    yield* piece
    last = piece.at(-1) ?? null
    if (last === null) return
  }
}

/**
 * The currencies of those invoices.
 * @throws ReportImpossible when there are more invoices than may be
 */
export const currenciesOf = async ({ transact, scope, given }: ReportWork, most: number): Promise<string[]> => {
  const found = await transact((db) => billedCurrencies(db, scope, given.days), 'background')
  const invoices = found.reduce((sum, { count }) => sum + count, 0)
  if (invoices > most) throw new ReportImpossible(`the report has more than ${most} invoices`)
  return found.map(({ currency }) => currency)
}
