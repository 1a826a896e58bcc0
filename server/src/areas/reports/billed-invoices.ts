import { type BilledInvoice, billedInvoices } from './billed-invoices.queries.ts'
import { ReportImpossible, type ReportWork } from './built-in-report.ts'

/**
 * The invoices that were issued in the days of a report, oldest first; all of them where it names no days.
 * @throws ReportImpossible when there are more than may be
 */
export const everyInvoice = async ({ within, scope, given }: ReportWork, most: number): Promise<BilledInvoice[]> => {
  const invoices: BilledInvoice[] = []
  for (;;) {
    const piece = await within((db) => billedInvoices(db, scope, given.days, invoices.at(-1) ?? null), 'background')
    if (piece.length === 0) return invoices
    invoices.push(...piece)
    if (invoices.length > most) throw new ReportImpossible(`the report has more than ${most} invoices`)
  }
}
