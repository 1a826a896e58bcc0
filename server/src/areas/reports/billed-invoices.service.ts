import { type BilledInvoice, billedCurrencies, billedInvoices } from './billed-invoices.queries.ts'
import { PermanentReportError, type ReportContext } from './built-in-report.service.ts'

/** The invoices that were issued in the days of a report, oldest first, all of them where it names no days; some of them in memory at a time. */
export async function* readBilledInvoices({ transact, scope, parameters }: ReportContext): AsyncGenerator<BilledInvoice> {
  let last: BilledInvoice | null = null
  for (;;) {
    const chunk: BilledInvoice[] = await transact((db) => billedInvoices(db, scope, parameters.days, last), 'background')
    yield* chunk
    last = chunk.at(-1) ?? null
    if (last === null) return
  }
}

/**
 * The currencies of those invoices.
 * @throws ReportImpossible when there are more invoices than may be
 */
export const readCurrencies = async ({ transact, scope, parameters }: ReportContext, maxInvoices: number): Promise<string[]> => {
  const currencies = await transact((db) => billedCurrencies(db, scope, parameters.days), 'background')
  const invoices = currencies.reduce((sum, { count }) => sum + count, 0)
  if (invoices > maxInvoices) throw new PermanentReportError(`the report has more than ${maxInvoices} invoices`)
  return currencies.map(({ currency }) => currency)
}
