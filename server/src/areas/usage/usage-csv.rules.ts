import type { CsvColumn } from '@counterfoil/contract/kit/csv'
import { roundToUnits, unitsToText } from '@counterfoil/contract/kit/decimal'
import { toFileName } from '@counterfoil/contract/kit/file-name'

/** A record of a download. */
export interface UsageRow {
  readonly usageAt: Date
  readonly serviceItemName: string | null
  readonly serviceItemDescription: string | null
  readonly serviceItem2: string | null
  readonly serviceItem3: string | null
  readonly siteName: string | null
  /** Exact decimals. */
  readonly units: string
  readonly price: string
  readonly recordType: string
  readonly costCentre: string | null
}

/** An exact decimal rounded half away from zero to a fixed number of digits. */
const roundDecimal = (decimal: string, digits: number): string => unitsToText(roundToUnits(decimal, digits), digits)

/** The columns of the usage download (USG-07), which are those of the grid: units with 2 and prices with 4 digits, dates as UTC days. */
export const usageColumns = (withCostCentre: boolean): CsvColumn<UsageRow>[] => [
  { label: 'Service Item', cell: (row) => row.serviceItemName },
  { label: 'Service Item 2', cell: (row) => row.serviceItem2 },
  { label: 'Service Item 3', cell: (row) => row.serviceItem3 },
  { label: 'Record Type', cell: (row) => row.recordType },
  { label: 'Units', cell: (row) => roundDecimal(row.units, 2), isFigure: true },
  { label: 'Service Item Description', cell: (row) => row.serviceItemDescription },
  { label: 'Site', cell: (row) => row.siteName },
  { label: 'Date', cell: (row) => row.usageAt.toISOString().slice(0, 10), isFigure: true },
  { label: 'Price', cell: (row) => roundDecimal(row.price, 4), isFigure: true },
  ...(withCostCentre ? [{ label: 'Cost Centre', cell: (row: UsageRow) => row.costCentre }] : []),
]

/** `<service>_Usage.csv`, or `All_Usage.csv` without a service. */
export const usageFileName = (serviceName: string | null): string => `${toFileName(`${serviceName ?? 'All'}_Usage`)}.csv`
