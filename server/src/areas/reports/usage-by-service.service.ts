import { type CsvColumn, csvCells, csvLine } from '@counterfoil/contract/kit/csv'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import { type BuiltInReport, CONTENT_TYPES, reportFileName } from './built-in-report.service.ts'
import { decimalOf } from './exact-sum.rules.ts'
import { summedUsage, type UsageLine } from './usage-totals.service.ts'

const MOST_LINES = 200_000
const LINES_A_PIECE = 1_000

/** Units to 2 digits and prices to 4, as everywhere in CSV files (portal.md §9). */
const COLUMNS: readonly CsvColumn<UsageLine>[] = [
  { label: 'Service', cell: ({ service }) => service },
  { label: 'Service Item', cell: ({ serviceItem }) => serviceItem },
  { label: 'Service Item Description', cell: ({ description }) => description },
  { label: 'Record Type', cell: ({ recordType }) => recordType },
  { label: 'Records', cell: ({ records }) => String(records), isFigure: true },
  { label: 'Units', cell: ({ units }) => decimalOf(units, 2), isFigure: true },
  { label: 'Price', cell: ({ price }) => decimalOf(price, 4), isFigure: true },
]

export const usageByService: BuiltInReport = {
  id: 2,
  name: 'Usage by Service',
  exportTypeId: EXPORT_TYPE.csv,
  parameters: [
    { name: 'DateRange', required: false },
    { name: 'ServiceId', required: false },
  ],
  make: async (work) => {
    const { days, serviceId } = work.given
    const lines = await summedUsage(work, { days, serviceId, agreementId: null, byCostCentre: false, mostLines: MOST_LINES })
    return {
      fileName: reportFileName(['Usage_by_Service'], work.given, 'csv'),
      contentType: CONTENT_TYPES.csv,
      pieces: csvPieces(lines.inOrder()),
    }
  },
}

function* csvPieces(lines: Iterable<UsageLine>): Generator<string> {
  const columns = [...COLUMNS]
  let held = `${csvLine(COLUMNS.map(({ label }) => label))}\n`
  let count = 0
  for (const line of lines) {
    held += `${csvLine(csvCells(columns, line))}\n`
    count += 1
    if (count % LINES_A_PIECE !== 0) continue
    yield held
    held = ''
  }
  yield held
}
