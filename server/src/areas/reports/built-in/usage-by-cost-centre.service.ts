import { toShortText } from '@counterfoil/contract/kit/decimal'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import type { WorkbookCell, WorkbookColumn } from '../../../documents/report-document.ts'
import { MAX_WORKBOOK_ROWS, workbookChunks } from '../../../documents/xlsx/workbook.ts'
import { type BuiltInReport, CONTENT_TYPES, reportFileName } from './built-in-report.service.ts'
import { sumUsage, type UsageLine } from './usage-totals.service.ts'

const MAX_LINES = MAX_WORKBOOK_ROWS - 1 // without the heading row

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
  description: 'What each cost centre used of one service, to charge it on.',
  exportTypeId: EXPORT_TYPE.workbook,
  parameters: [
    { name: 'DateRange', required: false },
    { name: 'ServiceId', required: true },
  ],
  generate: async (context) => {
    const { days, serviceId } = context.parameters
    const lines = await sumUsage(context, { days, serviceId, agreementId: null, byCostCentre: true, maxLines: MAX_LINES })
    return {
      fileName: reportFileName(['Usage_by_Cost_Centre'], context.parameters, 'xlsx'),
      contentType: CONTENT_TYPES.xlsx,
      chunks: workbookChunks({ sheet: 'Usage by Cost Centre', columns: COLUMNS, rows: toRows(lines.sortedLines()) }),
    }
  },
}

/** The summed lines as rows of the workbook. */
function* toRows(lines: Iterable<UsageLine>): Generator<WorkbookCell[]> {
  for (const { costCentre, serviceItem, description, recordType, records, units, price } of lines)
    yield [costCentre, serviceItem, description, recordType, records, Number(toShortText(units)), Number(toShortText(price))]
}
