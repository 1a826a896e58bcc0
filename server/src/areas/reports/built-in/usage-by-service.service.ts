import { type CsvColumn, csvCells, csvHead, csvLine } from '@counterfoil/contract/kit/csv'
import { exactToText } from '@counterfoil/contract/kit/decimal'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import { type BuiltInReport, CONTENT_TYPES, reportFileName } from './built-in-report.service.ts'
import { sumUsage, type UsageLine } from './usage-totals.service.ts'

const MAX_LINES = 200_000
const LINES_PER_CHUNK = 1_000

/** Units with 2 and prices with 4 digits, as in all CSV files (USG-07). */
const COLUMNS: readonly CsvColumn<UsageLine>[] = [
  { label: 'Service', cell: ({ service }) => service },
  { label: 'Service Item', cell: ({ serviceItem }) => serviceItem },
  { label: 'Service Item Description', cell: ({ description }) => description },
  { label: 'Record Type', cell: ({ recordType }) => recordType },
  { label: 'Records', cell: ({ records }) => String(records), isFigure: true },
  { label: 'Units', cell: ({ units }) => exactToText(units, 2), isFigure: true },
  { label: 'Price', cell: ({ price }) => exactToText(price, 4), isFigure: true },
]

export const usageByService: BuiltInReport = {
  id: 2,
  name: 'Usage by Service',
  description: 'Records, units and price of each service item and record type.',
  exportTypeId: EXPORT_TYPE.csv,
  parameters: [
    { name: 'DateRange', required: false },
    { name: 'ServiceId', required: false },
  ],
  generate: async (context) => {
    const { days, serviceId } = context.parameters
    const lines = await sumUsage(context, { days, serviceId, agreementId: null, byCostCentre: false, maxLines: MAX_LINES })
    return {
      fileName: reportFileName(['Usage_by_Service'], context.parameters, 'csv'),
      contentType: CONTENT_TYPES.csv,
      chunks: csvChunks(lines.sortedLines()),
    }
  },
}

/** The text of the CSV file in parts, with the heading first. */
function* csvChunks(lines: Iterable<UsageLine>): Generator<string> {
  const columns = [...COLUMNS]
  let buffered = csvHead(COLUMNS)
  let count = 0
  for (const line of lines) {
    buffered += `${csvLine(csvCells(columns, line))}\n`
    count += 1
    if (count % LINES_PER_CHUNK !== 0) continue
    yield buffered
    buffered = ''
  }
  yield buffered
}
