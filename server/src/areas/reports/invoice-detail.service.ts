import { dayOf } from '@counterfoil/contract/kit/day'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import type { UsageBehind } from '../../documents/report-document.ts'
import { type InvoiceInFull, invoiceInFull } from '../invoices/invoices.service.ts'
import { type BuiltInReport, CONTENT_TYPES, ReportImpossible, reportFileName, type ReportWork } from './built-in-report.service.ts'
import { decimalOf } from './exact-sum.rules.ts'
import { summedUsage, type UsageLine } from './usage-totals.service.ts'

const MOST_LINES = 200_000
/** More lines than this nobody reads on paper: some 40 stand on a page. */
const PRINTED_LINES = 1_000

export const invoiceDetail: BuiltInReport = {
  id: 4,
  name: 'Invoice Detail',
  exportTypeId: EXPORT_TYPE.pdf,
  parameters: [{ name: 'InvoiceId', required: true }],
  make: async (work) => {
    const { scope, transact, now, given, publicUrl } = work
    const found = await invoiceInFull({ scope, transact }, given.invoiceId ?? 0, { today: dayOf(now), publicUrl })
    if (found === undefined) throw new ReportImpossible('the invoice has gone')
    const invoice = { ...found.paper, title: `${found.paper.title} Detail` }
    return {
      fileName: reportFileName(['Invoice_Detail', invoice.number], given, 'pdf'),
      contentType: CONTENT_TYPES.pdf,
      pieces: [await work.renderer.report({ kind: 'invoice-detail', invoice, usage: await usageBehind(work, found) })],
    }
  },
}

/** The usage of the invoice's period and agreement; null where it has no period. */
const usageBehind = async (work: ReportWork, { period, agreementId }: InvoiceInFull): Promise<UsageBehind | null> => {
  if (period === null) return null
  const lines = await summedUsage(work, { days: period, serviceId: null, agreementId, byCostCentre: false, mostLines: MOST_LINES })
  const rows: UsageBehind['rows'][number][] = []
  const sum = { records: 0n, price: 0n }
  for (const line of lines.inOrder()) {
    sum.records += BigInt(line.records)
    sum.price += line.price
    if (rows.length < PRINTED_LINES) rows.push(printed(line))
  }
  return {
    from: period.from,
    to: period.to,
    rows,
    leftOut: lines.count - rows.length,
    records: String(sum.records),
    price: decimalOf(sum.price, 4),
  }
}

const printed = (line: UsageLine): UsageBehind['rows'][number] => ({
  service: line.service,
  serviceItem: line.serviceItem ?? '–',
  recordType: line.recordType,
  records: String(line.records),
  units: decimalOf(line.units, 2),
  price: decimalOf(line.price, 4),
})
