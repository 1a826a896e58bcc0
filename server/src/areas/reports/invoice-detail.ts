import { dayOf } from '@counterfoil/contract/kit/day'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import type { UsageBehind } from '../../documents/report-document.ts'
import { type InvoiceInFull, invoiceInFull } from '../invoices/invoices.service.ts'
import { type BuiltInReport, CONTENT_TYPES, ReportImpossible, reportFileName, type ReportWork } from './built-in-report.ts'
import { decimalOf } from './exact-sum.ts'
import { summedUsage, type UsageLine } from './summed-usage.ts'

const MOST_LINES = 200_000
/** More lines than this nobody reads on paper: some 40 stand on a page. */
const PRINTED_LINES = 1_000

export const invoiceDetail: BuiltInReport = {
  id: 4,
  name: 'Invoice Detail',
  exportTypeId: EXPORT_TYPE.pdf,
  parameters: [{ name: 'InvoiceId', required: true }],
  make: async (work) => {
    const { scope, within, now, given, publicUrl } = work
    const found = await invoiceInFull({ scope, within }, given.invoiceId ?? 0, { today: dayOf(now), publicUrl })
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
  const sum = (of: (line: UsageLine) => bigint): bigint => lines.reduce((total, line) => total + of(line), 0n)
  return {
    from: period.from,
    to: period.to,
    rows: lines.slice(0, PRINTED_LINES).map((line) => ({
      service: line.service,
      serviceItem: line.serviceItem ?? '–',
      recordType: line.recordType,
      records: String(line.records),
      units: decimalOf(line.units, 2),
      price: decimalOf(line.price, 4),
    })),
    leftOut: Math.max(0, lines.length - PRINTED_LINES),
    records: String(sum(({ records }) => BigInt(records))),
    price: decimalOf(
      sum(({ price }) => price),
      4,
    ),
  }
}
