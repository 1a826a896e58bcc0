import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import type { WorkbookColumn } from '../../documents/report-document.ts'
import { type BuiltInReport, CONTENT_TYPES, reportFileName } from './built-in-report.ts'
import { cellNumber } from './exact-sum.ts'
import { summedUsage } from './summed-usage.ts'

const MOST_LINES = 50_000

const COLUMNS: readonly WorkbookColumn[] = [
  { heading: 'Cost Centre', width: 24 },
  { heading: 'Service Item', width: 22 },
  { heading: 'Service Item Description', width: 30 },
  { heading: 'Record Type', width: 28 },
  { heading: 'Records', width: 12, format: '#,##0' },
  { heading: 'Units', width: 16, format: '#,##0.00' },
  { heading: 'Price', width: 16, format: '#,##0.0000' },
]

export const usageByCostCentre: BuiltInReport = {
  id: 3,
  name: 'Usage by Cost Centre',
  exportTypeId: EXPORT_TYPE.workbook,
  parameters: [
    { name: 'DateRange', required: false },
    { name: 'ServiceId', required: true },
  ],
  make: async (work) => {
    const { days, serviceId } = work.given
    const lines = await summedUsage(work, { days, serviceId, agreementId: null, byCostCentre: true, mostLines: MOST_LINES })
    const rows = lines.map(({ costCentre, serviceItem, description, recordType, records, units, price }) => [
      costCentre,
      serviceItem,
      description,
      recordType,
      records,
      cellNumber(units),
      cellNumber(price),
    ])
    return {
      fileName: reportFileName(['Usage_by_Cost_Centre'], work.given, 'xlsx'),
      contentType: CONTENT_TYPES.xlsx,
      pieces: [await work.renderer.report({ kind: 'workbook', sheet: 'Usage by Cost Centre', columns: COLUMNS, rows })],
    }
  },
}
