import { type BilledInvoice, billedCurrencies, billedInvoices } from './billed-invoices.queries.ts'
import { type ReportContext, ReportFailure } from './built-in-report.service.ts'

/** Reads the invoices issued in the days of a report page by page, oldest first; all of them when it has no days. */
export async function* readBilledInvoices({ transact, scope, parameters }: ReportContext): AsyncGenerator<BilledInvoice> {
  let last: BilledInvoice | null = null
  for (;;) {
    const chunk: BilledInvoice[] = await transact((db) => billedInvoices(db, scope, parameters.days, last), { pool: 'background' })
    yield* chunk
    last = chunk.at(-1) ?? null
    if (last === null) return
  }
}

/**
 * The currencies of the invoices issued in the days of a report, each once.
 * @throws ReportFailure when there are more invoices than `maxInvoices`
 */
export const readCurrencies = async ({ transact, scope, parameters }: ReportContext, maxInvoices: number): Promise<string[]> => {
  const currencies = await transact((db) => billedCurrencies(db, scope, parameters.days), { pool: 'background' })
  const invoices = currencies.reduce((sum, { count }) => sum + count, 0)
  if (invoices > maxInvoices) throw new ReportFailure('too_large', `the report has more than ${maxInvoices} invoices`)
  return currencies.map(({ currency }) => currency)
}
