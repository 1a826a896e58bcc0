import { dayOf } from '@counterfoil/contract/kit/day'
import { exactToText } from '@counterfoil/contract/kit/decimal'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import type { InvoiceUsage } from '../../../documents/report-document.ts'
import { type FullInvoice, loadFullInvoice } from '../../invoices/invoices.service.ts'
import { type BuiltInReport, CONTENT_TYPES, reportFileName, type ReportContext, ReportFailure } from './built-in-report.service.ts'
import { sumUsage, type UsageLine } from './usage-totals.service.ts'

const MAX_LINES = 200_000
/** About 25 pages of 40 lines; the rest is only in the total. */
const PRINTED_LINES = 1_000

export const invoiceDetail: BuiltInReport = {
  id: 4,
  name: 'Invoice Detail',
  description: 'One invoice with the usage behind it, line by line.',
  exportTypeId: EXPORT_TYPE.pdf,
  parameters: [{ name: 'InvoiceId', required: true }],
  generate: async (context) => {
    const { scope, transact, now, keys, parameters, publicUrl } = context
    const fullInvoice = await loadFullInvoice({ scope, transact }, parameters.invoiceId ?? 0, { keys, today: dayOf(now), publicUrl })
    if (fullInvoice === undefined) throw new ReportFailure('gone', 'the invoice does not exist any more')
    const invoice = { ...fullInvoice.document, title: `${fullInvoice.document.title} Detail` }
    return {
      fileName: reportFileName(['Invoice_Detail', invoice.number], parameters, 'pdf'),
      contentType: CONTENT_TYPES.pdf,
      chunks: [await context.renderer.report({ kind: 'invoice-detail', invoice, usage: await invoiceUsage(context, fullInvoice) })],
    }
  },
}

/**
 * The sums of usage in the invoice's period and agreement, of which at most `PRINTED_LINES` are printed; null when the invoice has no
 * period.
 */
const invoiceUsage = async (context: ReportContext, { period, agreementId }: FullInvoice): Promise<InvoiceUsage | null> => {
  if (period === null) return null
  const lines = await sumUsage(context, { days: period, serviceId: null, agreementId, byCostCentre: false, maxLines: MAX_LINES })
  const rows: InvoiceUsage['rows'][number][] = []
  const sum = { records: 0n, price: 0n }
  for (const line of lines.sortedLines()) {
    sum.records += BigInt(line.records)
    sum.price += line.price
    if (rows.length < PRINTED_LINES) rows.push(toPrintedLine(line))
  }
  return {
    from: period.from,
    to: period.to,
    rows,
    omittedRows: lines.count - rows.length,
    records: String(sum.records),
    price: exactToText(sum.price, 4),
  }
}

/** A sum of usage as the PDF prints it. */
const toPrintedLine = (line: UsageLine): InvoiceUsage['rows'][number] => ({
  service: line.service,
  serviceItem: line.serviceItem ?? '–',
  recordType: line.recordType,
  records: String(line.records),
  units: exactToText(line.units, 2),
  price: exactToText(line.price, 4),
})
