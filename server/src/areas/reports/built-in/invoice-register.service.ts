import { dayOf } from '@counterfoil/contract/kit/day'
import { currencyDigits, toJsonNumber } from '@counterfoil/contract/kit/money'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import type { WorkbookCell, WorkbookColumn } from '../../../documents/report-document.ts'
import { MAX_WORKBOOK_ROWS, workbookChunks } from '../../../documents/xlsx/workbook.ts'
import { readCurrencies, readBilledInvoices } from './billed-invoices.service.ts'
import { type BuiltInReport, CONTENT_TYPES, reportFileName, type ReportContext } from './built-in-report.service.ts'
import type { BilledInvoice } from './billed-invoices.queries.ts'
import { isCreditNote, statusLabel } from './billed-invoices.rules.ts'

const MAX_LINES = MAX_WORKBOOK_ROWS - 1 // without the heading row

/** The columns of the register; amounts with this many decimal digits. */
const columns = (digits: number): WorkbookColumn[] => {
  const money = digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`
  return [
    { heading: 'Invoice', width: 20 },
    { heading: 'Issued', width: 12, isDay: true },
    { heading: 'Due', width: 12, isDay: true },
    { heading: 'Period from', width: 12, isDay: true },
    { heading: 'Period to', width: 12, isDay: true },
    { heading: 'Status', width: 14 },
    { heading: 'Currency', width: 10 },
    { heading: 'Net', width: 14, format: money },
    { heading: 'Tax', width: 14, format: money },
    { heading: 'Amount', width: 14, format: money },
    { heading: 'Amount due', width: 14, format: money },
    { heading: 'Credit', width: 14, format: money },
  ]
}

export const invoiceRegister: BuiltInReport = {
  id: 1,
  name: 'Invoice Register',
  description: 'Every invoice with its dates, status, tax and what is still due.',
  exportTypeId: EXPORT_TYPE.workbook,
  parameters: [{ name: 'DateRange', required: false }],
  generate: async (context) => {
    const digits = Math.max(2, ...(await readCurrencies(context, MAX_LINES)).map(currencyDigits))
    return {
      fileName: reportFileName(['Invoice_Register'], context.parameters, 'xlsx'),
      contentType: CONTENT_TYPES.xlsx,
      chunks: workbookChunks({ sheet: 'Invoice Register', columns: columns(digits), rows: toRows(context) }),
    }
  },
}

/** Reads the invoices of the report page by page as rows. */
async function* toRows(context: ReportContext): AsyncGenerator<WorkbookCell[]> {
  for await (const invoice of readBilledInvoices(context)) yield toRow(invoice, context)
}

/** An invoice as a row of the register; a credit note has no due day. */
const toRow = (invoice: BilledInvoice, { now }: ReportContext): WorkbookCell[] => {
  const money = (minor: number): number => toJsonNumber({ minor: BigInt(minor), currency: invoice.currency })
  return [
    invoice.number,
    invoice.issuedOn,
    isCreditNote(invoice) ? null : invoice.dueOn,
    invoice.periodStartsOn,
    invoice.periodEndsOn,
    statusLabel(invoice, dayOf(now)),
    invoice.currency,
    money(invoice.netMinor),
    money(invoice.amountMinor - invoice.netMinor),
    money(invoice.amountMinor),
    money(invoice.dueMinor),
    money(invoice.creditMinor),
  ]
}
